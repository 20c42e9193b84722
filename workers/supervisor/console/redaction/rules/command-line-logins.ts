import { isPlaceholder, looksSecret, mixesLettersAndDigits } from '../clues/secret-looks.ts';
import { readValue, type Value } from '../clues/secret-values.ts';
import { KIND } from '../kinds.ts';
import { BLANK, bytesOf, DIGIT, EOL, is, latin1, SPACE, skip, startsWith } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DASH = 0x2d;
const EQUALS = 0x3d;
const COLON = 0x3a;
const SLASH = 0x2f;
const LETTER_P = 0x70;
const LETTER_U = 0x75;
const LOWER_CASE = 0x20;

const USER_FLAGS = ['--user', '--proxy-user'].map(bytesOf);
/** How far before the flag to look for the program's name, in bytes. */
const COMMAND = 128;

/** Programs whose one-letter flags take a password, by the flag. For other programs, `-p` may be a port, a path or a process. */
const PROGRAMS: readonly (RegExp | undefined)[] = byLetter({
  p: /\b(?:mysql\w*|mariadb[\w-]*|sshpass|m?c?rcon[\w-]*|plink|pscp|7z\w*|docker\s+login|podman\s+login)\s/i,
  P: /\b(?:unzip|zip)\s/i,
  a: /\bredis-cli\s/i,
  u: /\bcurl\s/i,
  U: /\bcurl\s/i,
});

/**
 * Logins on command lines, at the flag's dash: `curl -u name:password`, `--user=name:password`, `mysql -ppassword`,
 * `sshpass -p password`.
 */
export function commandLineLogin(text: Buffer, dash: number, hits: Hits): number {
  if (text[dash + 1] === DASH) {
    return userFlag(text, dash, hits);
  }
  const programs = PROGRAMS[text[dash + 1]!];
  return programs === undefined ? 0 : shortFlag(text, dash, programs, hits);
}

function userFlag(text: Buffer, dash: number, hits: Hits): number {
  const user = USER_FLAGS.find((flag) => startsWith(text, dash, flag));
  const at = dash + (user?.length ?? 0);
  const value = user && (is(text[at]!, BLANK) || text[at] === EQUALS) ? readValue(text, at + 1) : undefined;
  return value !== undefined && isLogin(text, value) ? add(value, hits) : 0;
}

function shortFlag(text: Buffer, dash: number, programs: RegExp, hits: Hits): number {
  const at = dash + 2;
  const letter = text[dash + 1]!;
  const isGlued = !is(text[at]!, SPACE);
  const value = readValue(text, at);
  if (value === undefined || text[value.start] === DASH || isPlaceholder(text, value)) {
    return 0;
  }
  const isKnown = programs.test(commandBefore(text, dash));
  if ((letter | LOWER_CASE) === LETTER_U) {
    const isSecret = isLogin(text, value) && (isKnown || (!isGlued && looksSecret(text, value.start, value.end)));
    return isSecret ? add(value, hits) : 0;
  }
  const isSecret = isKnown || (letter === LETTER_P && !isGlued && mixesLettersAndDigits(text, value.start, value.end));
  return isSecret ? add(value, hits) : 0;
}

/** True for `name:password`, but not for `http://...` or the ids of a user and a group. */
function isLogin(text: Uint8Array, { start, end }: Value): boolean {
  let colon = start;
  while (colon < end && text[colon] !== COLON) {
    colon++;
  }
  const isUrl = text[colon + 1] === SLASH && text[colon + 2] === SLASH;
  const areNumbers = skip(text, start, DIGIT) === colon && skip(text, colon + 1, DIGIT) >= end;
  return colon > start && colon + 1 < end && !isUrl && !areNumbers;
}

function commandBefore(text: Buffer, end: number): string {
  let start = end;
  while (start > end - COMMAND && !is(text[start - 1]!, EOL)) {
    start--;
  }
  return latin1(text, start, end);
}

function byLetter(programs: Readonly<Record<string, RegExp>>): (RegExp | undefined)[] {
  return Array.from({ length: 256 }, (_, byte) => programs[String.fromCharCode(byte)]);
}

function add({ start, end }: Value, hits: Hits): number {
  hits.add(start, end, KIND.secret);
  return end;
}
