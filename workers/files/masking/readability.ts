import { isSecretName } from '../../../shared/schema/known-secrets.ts';

/**
 * What those who may only read see of a file. `text`: without secrets. `binary`: without those of the settings, as far as they stand there as text.
 * `hidden`: nothing but its length. `compressed`: secrets in it cannot be found.
 */
export type Readability = 'text' | 'binary' | 'hidden' | 'compressed';

/** How much of a file `readabilityOf` wants to see. */
export const LOOKED_AT_BYTES = 8 * 1024;

/** First bytes of gzip, ZIP (empty, too), Zstandard, xz, bzip2, 7z, RAR and LZ4, as latin1. */
const COMPRESSED = [
  '\x1f\x8b',
  'PK\x03\x04',
  'PK\x05\x06',
  '(\xb5/\xfd',
  '\xfd7zXZ\0',
  'BZh',
  "7z\xbc\xaf'\x1c",
  'Rar!',
  '\x04"M\x18',
];
/** Byte order marks of UTF-16 and UTF-32, in which secrets are not found. */
const WIDE = ['\xff\xfe', '\xfe\xff', '\0\0\xfe\xff'];
/** SSH's private keys, and stores of keys. */
const KEY_FILE = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\.(?:p12|pfx|jks|keystore|ppk)$/i;
/** A player can bring a few control characters into a log. Of random bytes, every eleventh is one. */
const MOST_CONTROLS = 4;
const MOST_CONTROLS_SHARE = 0.02;

/** `beginning` are the first LOOKED_AT_BYTES of the file, or all of it. */
export function readabilityOf(name: string, beginning: Buffer): Readability {
  const first = beginning.toString('latin1');
  const beginsWith = (magic: string) => first.startsWith(magic);
  if (COMPRESSED.some(beginsWith)) return 'compressed';
  if (KEY_FILE.test(name) || isSecretName(name) || WIDE.some(beginsWith)) return 'hidden';
  const controls = beginning.filter((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)).length;
  return controls > Math.max(MOST_CONTROLS, beginning.length * MOST_CONTROLS_SHARE) ? 'binary' : 'text';
}
