import { createHash } from 'node:crypto';

/** Setting for a host key that is not known yet: every connection fails, with the server's key in the error. */
export const UNKNOWN_HOST_KEY = 'unknown';

/** In the format of `ssh-keygen -l`: `SHA256:` and 43 characters. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Returns the key's type, such as `ssh-ed25519` (RFC 4253, section 6.6: the first string of the key). */
export function typeOf(key: Buffer): string {
  return key.length < 4 ? '' : key.toString('latin1', 4, 4 + key.readUInt32BE(0));
}

/** Returns true if the key is the pinned one, which is a fingerprint or a line of known_hosts. */
export function isPinned(key: Buffer, pinned: string): boolean {
  if (pinned.startsWith('SHA256:')) return fingerprintOf(key) === pinned.replace(/=+$/, '');
  const line = keyOfLine(pinned);
  return line !== undefined && key.equals(Buffer.from(line.base64, 'base64'));
}

/** Returns the type that the pin names, so that a server with several keys shows that one; undefined for fingerprints. */
export function pinnedType(pinned: string): string | undefined {
  return keyOfLine(pinned)?.type;
}

function keyOfLine(line: string): { type: string; base64: string } | undefined {
  const [, type, base64] = /(?:^|\s)((?:ssh|ecdsa|sk)-[a-z0-9@.-]+) ([A-Za-z0-9+/=]+)/.exec(line) ?? [];
  return type !== undefined && base64 !== undefined ? { type, base64 } : undefined;
}
