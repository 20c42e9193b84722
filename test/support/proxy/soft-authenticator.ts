import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

/** What a test may change about a response. */
export interface Deviation {
  origin?: string;
  /** Default: the host of the options. */
  rpId?: string;
  counter?: number;
  isVerified?: boolean;
  userHandle?: string;
  challenge?: string;
}

/** A passkey in memory, which signs whatever a test wants (https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data). */
export class SoftAuthenticator {
  readonly id = randomBytes(16).toString('base64url');
  counter = 0;
  readonly #origin: string;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  #userHandle = '';

  constructor(origin: string) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** As `navigator.credentials.create`. */
  create(options: object, deviation: Deviation = {}): object {
    const { rp, user, challenge } = options as PublicKeyCredentialCreationOptionsJSON;
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const authData = Buffer.concat([this.#authData(rp.id ?? '', ATTESTED, deviation), attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#response({
      clientDataJSON: this.#clientData('webauthn.create', challenge, deviation).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    });
  }

  /** As `navigator.credentials.get`. */
  get(options: object, deviation: Deviation = {}): object {
    const { rpId = '', challenge } = options as PublicKeyCredentialRequestOptionsJSON;
    const clientData = this.#clientData('webauthn.get', challenge, deviation);
    const authData = this.#authData(rpId, 0, deviation);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#response({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: deviation.userHandle ?? this.#userHandle,
    });
  }

  #response(response: Record<string, string>): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin, challenge: other }: Deviation): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: other ?? challenge, origin, crossOrigin: false }));
  }

  #authData(rpId: string, flags: number, deviation: Deviation): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.counter);
    const verified = deviation.isVerified === false ? 0 : USER_VERIFIED;
    const host = createHash('sha256')
      .update(deviation.rpId ?? rpId)
      .digest();
    return Buffer.concat([host, Buffer.from([flags | USER_PRESENT | verified]), counter]);
  }

  /** RFC 9053, section 7.1.1: kty EC2, alg ES256, crv P-256. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }
}
