import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { createPending, type PendingOptions } from '../pending.ts';

const TIMEOUT_MS = 5 * 60_000;
/** EdDSA, ES256 and RS256 (https://www.iana.org/assignments/cose), which every device has one of. */
const ALGORITHMS = [-8, -7, -257];

/** What a challenge is for: a sign-in, or a new passkey, which only one account or invitation can use. */
type Purpose = { kind: 'get' } | { kind: 'create'; accountId: string; binding: string };

export interface NewCredential {
  id: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
}

export interface StoredCredential extends NewCredential {
  accountId: string;
}

export interface CreationContext {
  /** What the new passkey is for. */
  binding: string;
  /** Passkeys that the account has; a device that has one of them makes no other. */
  present: readonly NewCredential[];
}

/** The two ceremonies of WebAuthn (https://www.w3.org/TR/webauthn-3/). Every challenge works once. */
export interface Ceremonies {
  /** The host of the proxy's address, to which browsers bind every passkey for ever. */
  readonly rpId: string;
  creationOptions(
    account: { id: string; name: string },
    context: CreationContext,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Resolves to a new passkey and its account; to `undefined` if the response is wrong or was used, or has another binding. */
  created(response: unknown, binding: string): Promise<{ accountId: string; credential: NewCredential } | undefined>;
  requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Resolves to the passkey and its new counter; to `undefined` if the response is wrong or was used. */
  used(
    response: unknown,
    find: (id: string) => Promise<StoredCredential | undefined>,
  ): Promise<{ credential: StoredCredential; counter: number } | undefined>;
}

export function createCeremonies({ issuer, ...options }: PendingOptions & { issuer: string }): Ceremonies {
  const rpId = new URL(issuer).hostname;
  const challenges = createPending<Purpose>('passkey challenge', options);
  const begin = async (purpose: Purpose) => new Uint8Array(Buffer.from(await challenges.begin(purpose), 'base64url'));
  const checks = (challenge: string) => ({
    expectedChallenge: challenge,
    // Pages of daemons may have host names below this one, and could use its passkeys: their origin is refused.
    expectedOrigin: issuer,
    expectedRPID: rpId,
    requireUserVerification: true,
  });

  return {
    rpId,
    async creationOptions({ id, name }, { binding, present }) {
      const { generateRegistrationOptions } = await webauthn();
      return generateRegistrationOptions({
        rpName: 'Gamekeeper',
        rpID: rpId,
        userID: new TextEncoder().encode(id),
        userName: name,
        challenge: await begin({ kind: 'create', accountId: id, binding }),
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: present.map(({ id: credentialId, transports }) => ({ id: credentialId, transports })),
      });
    },
    async created(response, binding) {
      const challenge = challengeOf(response);
      const purpose = challenge === undefined ? undefined : await challenges.take(challenge);
      if (challenge === undefined || purpose?.kind !== 'create' || purpose.binding !== binding) return undefined;
      const { verifyRegistrationResponse } = await webauthn();
      const checked = await orUndefined(
        verifyRegistrationResponse({
          response: response as RegistrationResponseJSON,
          ...checks(challenge),
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (!checked?.verified) return undefined;
      const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
      return {
        accountId: purpose.accountId,
        credential: { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports },
      };
    },
    async requestOptions() {
      const { generateAuthenticationOptions } = await webauthn();
      return generateAuthenticationOptions({
        rpID: rpId,
        challenge: await begin({ kind: 'get' }),
        timeout: TIMEOUT_MS,
        userVerification: 'required',
      });
    },
    async used(response, find) {
      const challenge = challengeOf(response);
      if (challenge === undefined || (await challenges.take(challenge))?.kind !== 'get') return undefined;
      const { id, response: signed } = response as AuthenticationResponseJSON;
      const credential = await find(String(id));
      if (!credential || signed.userHandle !== Buffer.from(credential.accountId).toString('base64url'))
        return undefined;
      const { verifyAuthenticationResponse } = await webauthn();
      const checked = await orUndefined(
        verifyAuthenticationResponse({
          response: response as AuthenticationResponseJSON,
          ...checks(challenge),
          // Whoever stores the new counter compares it with the last one, so that of two uses at once one is refused.
          credential: { id: credential.id, publicKey: Buffer.from(credential.publicKey, 'base64url'), counter: 0 },
        }),
      );
      return checked?.verified ? { credential, counter: checked.authenticationInfo.newCounter } : undefined;
    },
  };
}

/** The challenge that a browser has signed; `undefined` if the response has another form. */
function challengeOf(response: unknown): string | undefined {
  try {
    const { clientDataJSON } = (response as AuthenticationResponseJSON).response;
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The library throws whatever is wrong with a response. */
async function orUndefined<T>(verified: Promise<T>): Promise<T | undefined> {
  try {
    return await verified;
  } catch {
    return undefined;
  }
}

/** Loaded when the first passkey is used: it has parsers for certificates of every kind. */
function webauthn() {
  return import('@simplewebauthn/server');
}
