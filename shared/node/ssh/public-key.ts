import { fingerprintOf, typeOf } from './host-key.ts';

export interface PublicKey {
  /** Such as `ssh-ed25519`. */
  type: string;
  base64: string;
  comment: string;
  /** `SHA256:` and 43 characters. */
  fingerprint: string;
}

const LINE = /^\s*([a-z0-9@.-]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+([^\r\n]*))?\s*$/;
const CURVES = new Map([
  ['ecdsa-sha2-nistp256', { name: 'nistp256', bytes: 65 }],
  ['ecdsa-sha2-nistp384', { name: 'nistp384', bytes: 97 }],
  ['ecdsa-sha2-nistp521', { name: 'nistp521', bytes: 133 }],
]);
const LEAST_RSA_BITS = 2_048;
const MOST_RSA_BITS = 16_384;

/** Returns a line of a `.pub` file (RFC 4253, section 6.6), or what is wrong with it as the end of a sentence. */
export function parsePublicKey(line: string): PublicKey | string {
  if (/PRIVATE KEY/.test(line)) return 'is a private key. Keep it to yourself, and send the file that ends with .pub';
  const [, type, base64, comment = ''] = LINE.exec(line) ?? [];
  if (type === undefined || base64 === undefined)
    return 'is not one line of a .pub file, such as "ssh-ed25519 AAAA... name"';
  const bytes = Buffer.from(base64, 'base64');
  if (typeOf(bytes) !== type) return 'is damaged: its type is not the one that it names';
  const problem = problemOf(type, stringsOf(bytes));
  if (problem !== undefined) return problem;
  return { type, base64: bytes.toString('base64'), comment: comment.trim(), fingerprint: fingerprintOf(bytes) };
}

function problemOf(type: string, strings: readonly Buffer[] | undefined): string | undefined {
  if (!strings) return 'is damaged';
  const [, first, second] = strings;
  if (type === 'ssh-ed25519') return strings.length === 2 && first?.length === 32 ? undefined : 'is damaged';
  const curve = CURVES.get(type);
  if (curve) {
    const isWhole = strings.length === 3 && first?.toString('latin1') === curve.name && second?.length === curve.bytes;
    return isWhole ? undefined : 'is damaged';
  }
  if (type !== 'ssh-rsa')
    return `has the type ${type}, which is not supported. Use an Ed25519 key: ssh-keygen -t ed25519`;
  const bits = second && strings.length === 3 ? bitsOf(second) : 0;
  if (bits < LEAST_RSA_BITS) return `has ${bits} bits, too few. Use an Ed25519 key: ssh-keygen -t ed25519`;
  return bits > MOST_RSA_BITS ? `has ${bits} bits, too many` : undefined;
}

/** Returns the strings that a key consists of; `undefined` if it ends too early. */
function stringsOf(bytes: Buffer): Buffer[] | undefined {
  const strings: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < 4) return undefined;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    strings.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

function bitsOf(integer: Buffer): number {
  const start = integer.findIndex((byte) => byte !== 0);
  return start === -1 ? 0 : (integer.length - start) * 8 - Math.clz32(integer[start]!) + 24;
}
