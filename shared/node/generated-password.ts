import { randomInt } from 'node:crypto';

/** Without the characters that are easily taken for one another. 31 of them: 16 make 79 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A password, or a code, that people can read aloud and type: `k7fm-2xqa-wu9c-hd4p`. */
export function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
