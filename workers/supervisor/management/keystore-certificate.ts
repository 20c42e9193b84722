import { Duplex } from 'node:stream';

/**
 * The certificate (PEM) with which a server that has this PKCS12 keystore shows who it is: people make such keystores themselves, so that
 * no authority vouches for them, but we can read them. Throws what Node.js says of a keystore or password that is none.
 */
export async function keystoreCertificate(pfx: Buffer, passphrase: string): Promise<string> {
  // Two megabytes in each supervisor, where hardly any server has a keystore.
  const { createSecureContext, TLSSocket } = await import('node:tls');
  const secureContext = createSecureContext({ pfx, passphrase });
  // Takes the keystore apart as a server would; nothing is ever connected to it.
  const socket = new TLSSocket(new Unconnected(), { isServer: true, secureContext });
  try {
    const certificate = socket.getCertificate();
    if (!certificate || !('raw' in certificate)) throw new Error('the keystore holds no certificate');
    const lines = certificate.raw.toString('base64').match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  } finally {
    socket.destroy();
  }
}

class Unconnected extends Duplex {
  override _read(): void {}
  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}
