import { randomInt } from 'node:crypto';

/** 31 characters that are not easily confused. 16 of them have 79 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Returns a password or code that is easy to read aloud and type: `k7fm-2xqa-wu9c-hd4p`. */
export function generatePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
