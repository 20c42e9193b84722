import { Duplex } from 'node:stream';

/**
 * Returns the certificate (PEM) of a server from its PKCS12 keystore. Such certificates are self-signed, so no authority can verify them, but
 * Gamekeeper can read the file. Throws Node's error if the keystore or the password is wrong.
 */
export async function keystoreCertificate(pfx: Buffer, passphrase: string): Promise<string> {
  // Imported here because few servers have a keystore, and it takes two megabytes.
  const { createSecureContext, TLSSocket } = await import('node:tls');
  const secureContext = createSecureContext({ pfx, passphrase });
  // Opens the keystore as a server would. Nothing is ever connected to it.
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
