import { KIND } from '../kinds.ts';
import { BASE64, bytesOf, is, startsWith, TOKEN } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DOLLAR = 0x24;
const DOT = 0x2e;
const COMMA = 0x2c;

/** The modular crypt format (https://passlib.readthedocs.io/en/stable/modular_crypt_format.html) and AuthMe's. */
const HASHES = ['$2a$', '$2b$', '$2y$', '$argon2', '$SHA$', '$5$', '$6$', '$pbkdf2', '$scrypt'].map(bytesOf);
const SHORTEST_HASH = 32;

/** A password hash, at the character after its first dollar sign. */
export function passwordHash(text: Uint8Array, at: number, hits: Hits): number {
  const start = at - 1;
  if (!HASHES.some((prefix) => startsWith(text, start, prefix))) {
    return 0;
  }
  let end = at;
  while (is(text[end]!, TOKEN | BASE64) || text[end] === DOLLAR || text[end] === DOT || text[end] === COMMA) {
    end++;
  }
  while (text[end - 1] === DOT || text[end - 1] === COMMA) {
    end--;
  }
  if (end - start < SHORTEST_HASH) {
    return 0;
  }
  hits.add(start, end, KIND.secret);
  return end;
}
