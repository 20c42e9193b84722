import type { CDPSession, Page } from 'playwright-core';

/** A passkey as Chromium's virtual authenticator has it (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/). */
export interface VirtualCredential {
  credentialId: string;
  signCount: number;
  [member: string]: unknown;
}

/** A device in the browser of a test: it makes passkeys, and uses them without asking. */
export interface VirtualAuthenticator {
  credentials(): Promise<VirtualCredential[]>;
  /** Puts a passkey back as it was, as a copy of the device would have it. */
  restore(credential: VirtualCredential): Promise<void>;
  remove(): Promise<void>;
}

export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials as unknown as VirtualCredential[];
    },
    async restore(credential) {
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
    },
    remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined),
  };
}
