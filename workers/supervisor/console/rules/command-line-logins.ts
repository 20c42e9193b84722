import { BLANK, bytesOf, DIGIT, EOL, is, latin1, SPACE, skip, startsWith } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';
import { isPlaceholder, looksSecret, mixesLettersAndDigits, readValue, type Value } from './secret-values.ts';

const DASH = 0x2d;
const EQUALS = 0x3d;
const COLON = 0x3a;
const SLASH = 0x2f;

const USER_FLAGS = ['--user', '--proxy-user'].map(bytesOf);
/** How far before the flag the program's name is looked for, in bytes. */
const COMMAND = 128;

/** Programs whose one-letter flags take a password. `-p` of any other may be a port, a path or a process. */
const PASSWORD_FLAGS: Readonly<Record<string, RegExp>> = {
  p: /\b(?:mysql\w*|mariadb[\w-]*|sshpass|m?c?rcon[\w-]*|plink|pscp|7z\w*|docker\s+login|podman\s+login)\s/i,
  P: /\b(?:unzip|zip)\s/i,
  a: /\bredis-cli\s/i,
  u: /\bcurl\s/i,
  U: /\bcurl\s/i,
};

/**
 * Logins on command lines, at the flag's dash: `curl -u name:password`, `--user=name:password`, `mysql -ppassword`,
 * `sshpass -p password`.
 */
export function commandLineLogin(text: Buffer, dash: number, hits: Hits): number {
  const user = USER_FLAGS.find((flag) => startsWith(text, dash, flag));
  if (user !== undefined) {
    const at = dash + user.length;
    const value = is(text[at]!, BLANK) || text[at] === EQUALS ? readValue(text, at + 1) : undefined;
    return value !== undefined && isLogin(text, value) ? add(value, hits) : 0;
  }
  const letter = String.fromCharCode(text[dash + 1]!);
  const programs = PASSWORD_FLAGS[letter];
  return programs === undefined || text[dash] !== DASH ? 0 : shortFlag(text, dash, { letter, programs }, hits);
}

function shortFlag(
  text: Buffer,
  dash: number,
  { letter, programs }: { letter: string; programs: RegExp },
  hits: Hits,
): number {
  const at = dash + 2;
  const isGlued = !is(text[at]!, SPACE);
  const value = readValue(text, at);
  if (value === undefined || text[value.start] === DASH || isPlaceholder(text, value)) {
    return 0;
  }
  const isKnown = programs.test(commandBefore(text, dash));
  if (letter === 'u' || letter === 'U') {
    const isSecret = isLogin(text, value) && (isKnown || (!isGlued && looksSecret(text, value.start, value.end)));
    return isSecret ? add(value, hits) : 0;
  }
  const isSecret = isKnown || (letter === 'p' && !isGlued && mixesLettersAndDigits(text, value.start, value.end));
  return isSecret ? add(value, hits) : 0;
}

/** `name:password`, and neither `http://...` nor the numbers of a user and a group. */
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

function add({ start, end }: Value, hits: Hits): number {
  hits.add(start, end, KIND.secret);
  return end;
}
