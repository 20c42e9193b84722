import {
  BLANK,
  bytesOf,
  EOL,
  find,
  is,
  QUOTE,
  SPACE,
  skip,
  skipBack,
  startsWith,
  startsWithAnyCase,
  TOKEN,
  UPPER,
} from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';
import { looksSecret } from './secret-values.ts';

const COLON = 0x3a;
const GREATER = 0x3e;
const LESS = 0x3c;
const OPEN = 0x5b;

/** Commands of AuthMe, nLogin, LoginSecurity, LimboAuth and the like whose arguments are passwords. */
const LOGIN_COMMANDS = byFirstByte(
  'l log login reg register unregister changepassword changepass changepw cpw passwd password pin 2fa totp nlogin',
);
const AUTHME = bytesOf('authme');
/** The same as a word behind `/authme`, which has harmless ones too. */
const AUTHME_COMMANDS = byFirstByte('login register unregister changepassword password cp');

const LONGEST_PLUGIN_NAME = 32;
const COMMAND = bytesOf('command');
const HTTP = bytesOf('HTTP/');
/** `/l` and `/log` are folders, too. */
const SHORTEST_MENTIONED = 5;

/**
 * The arguments of a login command at its slash, where a log says that somebody typed it: `issued server command: /login x`,
 * `executed command /register x x`, `> /login x`. Advice stays (`use /login <password>`). Answers 0 if there is none.
 */
export function loginCommand(text: Buffer, slash: number, hits: Hits): number {
  const quote = is(text[slash - 1]!, QUOTE) ? text[slash - 1]! : 0;
  const nameEnd = endOfLoginCommand(text, slash + 1);
  if (nameEnd === 0) {
    return 0;
  }
  const start = skip(text, nameEnd, BLANK);
  const first = text[start]!;
  if (start === nameEnd || is(first, EOL) || first === LESS || first === OPEN || startsWith(text, start, HTTP)) {
    return 0;
  }
  if (!isTyped(text, quote === 0 ? slash : slash - 1)) {
    return mentioned(text, slash, nameEnd, start, hits);
  }
  let lineEnd = find(text, start, EOL);
  while (is(text[lineEnd - 1]!, BLANK)) {
    lineEnd--;
  }
  let end = lineEnd;
  while (quote !== 0 && end > start && text[end] !== quote) {
    end--;
  }
  if (end === start) {
    end = lineEnd; // the quote is not closed
  }
  hits.add(start, end, KIND.secret);
  return end;
}

/** In the middle of a sentence (`oops /login hunter2`) only what looks made up is taken; a request's path is none. */
function mentioned(text: Uint8Array, slash: number, nameEnd: number, start: number, hits: Hits): number {
  const end = find(text, start, SPACE);
  const isRequest = is(text[skipBack(text, slash, BLANK, 4) - 1]!, UPPER);
  if (isRequest || nameEnd - slash < SHORTEST_MENTIONED || !looksSecret(text, start, end)) {
    return 0;
  }
  hits.add(start, end, KIND.secret);
  return end;
}

/** Where the name of a login command that starts at `start` ends, or 0; plugins' own names go before (`authme:login`). */
function endOfLoginCommand(text: Uint8Array, start: number): number {
  const end = endOfOneOf(text, start, LOGIN_COMMANDS);
  if (end > 0) {
    return end;
  }
  const authme = start + AUTHME.length;
  if (startsWithAnyCase(text, start, AUTHME) && is(text[authme]!, BLANK)) {
    return endOfOneOf(text, authme + 1, AUTHME_COMMANDS);
  }
  const colon = skip(text, start, TOKEN, LONGEST_PLUGIN_NAME);
  return text[colon] === COLON ? endOfOneOf(text, colon + 1, LOGIN_COMMANDS) : 0;
}

function endOfOneOf(text: Uint8Array, start: number, names: readonly (readonly Uint8Array[])[]): number {
  for (const name of names[text[start]! & 0x1f]!) {
    if (startsWithAnyCase(text, start, name) && is(text[start + name.length]!, BLANK)) {
      return start + name.length;
    }
  }
  return 0;
}

/** ASCII letters of both cases differ from each other in their lower five bits. */
function byFirstByte(words: string): Uint8Array[][] {
  const names = words.split(' ').map(bytesOf);
  return Array.from({ length: 32 }, (_, letter) => names.filter((name) => (name[0]! & 0x1f) === letter));
}

/** Behind `command`, a colon, a prompt or a chat name, or at the start of the line. */
function isTyped(text: Uint8Array, start: number): boolean {
  let at = start;
  while (is(text[at - 1]!, BLANK)) {
    at--;
  }
  const before = text[at - 1]!;
  return (
    before === COLON || before === GREATER || is(before, EOL) || startsWithAnyCase(text, at - COMMAND.length, COMMAND)
  );
}
