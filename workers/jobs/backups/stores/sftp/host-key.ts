import { createHash } from 'node:crypto';

/** In the settings, in place of a host key: no key is right, but the error names the one that was met. */
export const UNKNOWN_HOST_KEY = 'unknown';

/** As `ssh-keygen -l` shows it: `SHA256:` and 43 characters. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Its type, such as `ssh-ed25519` (RFC 4253, section 6.6: the first string of the key). */
export function typeOf(key: Buffer): string {
  return key.length < 4 ? '' : key.toString('latin1', 4, 4 + key.readUInt32BE(0));
}

/** Whether a server's key is the pinned one: a fingerprint, or a line of known_hosts. */
export function isPinned(key: Buffer, pinned: string): boolean {
  if (pinned.startsWith('SHA256:')) return fingerprintOf(key) === pinned.replace(/=+$/, '');
  const line = keyOfLine(pinned);
  return line !== undefined && key.equals(Buffer.from(line.base64, 'base64'));
}

/** The type that the pin names, so that a server with several keys shows that one; undefined for fingerprints. */
export function pinnedType(pinned: string): string | undefined {
  return keyOfLine(pinned)?.type;
}

function keyOfLine(line: string): { type: string; base64: string } | undefined {
  const [, type, base64] = /(?:^|\s)((?:ssh|ecdsa|sk)-[a-z0-9@.-]+) ([A-Za-z0-9+/=]+)/.exec(line) ?? [];
  return type !== undefined && base64 !== undefined ? { type, base64 } : undefined;
}
