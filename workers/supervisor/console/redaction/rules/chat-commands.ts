import { looksSecret } from '../clues/secret-looks.ts';
import { KIND } from '../kinds.ts';
import {
  BLANK,
  bytesOf,
  EOL,
  find,
  is,
  latin1,
  QUOTE,
  SPACE,
  skip,
  skipBack,
  startsWith,
  startsWithAnyCase,
  TOKEN,
  UPPER,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const COLON = 0x3a;
const GREATER = 0x3e;
const LESS = 0x3c;
const OPEN = 0x5b;
const SLASH = 0x2f;

/** Commands of AuthMe, nLogin, LoginSecurity, LimboAuth, LibreLogin and the like whose arguments are passwords. */
const LOGIN_COMMANDS = byFirstByte(
  'l log login reg register unreg unregister changepassword changepass changepw cpw cp passwd password pin 2fa totp nlogin ' +
    'premium cracked setpassword resetpassword createpassword confirmpassword forcelogin forceregister ' +
    'forcechangepassword registrar registro logar',
);
/** Plugins whose login commands are subcommands, beside harmless ones: `/authme register`. */
const PLUGINS = ['authme', 'librelogin', 'limboauth', 'jpremium', 'loginsecurity', 'openlogin', 'xauth'].map(bytesOf);
const PLUGIN_COMMANDS = byFirstByte(
  'login register unregister changepassword forcechangepassword forceregister password cp',
);
/** Also the name of menu commands, with one argument. A change of the password has two. */
const CP = bytesOf('cp');

const LONGEST_PLUGIN_NAME = 32;
const COMMAND = bytesOf('command');
const HTTP = bytesOf('HTTP/');
/** In bytes, with the slash: `/l` and `/log` are folders too. */
const SHORTEST_MENTIONED = 5;

/**
 * The arguments of a login command that somebody typed, at its slash: `issued server command: /login x`, `executed command /register x x`,
 * `> /login x`. Advice stays: `use /login <password>`.
 */
export function loginCommand(text: Buffer, slash: number, hits: Hits): number {
  const quote = is(text[slash - 1]!, QUOTE) ? text[slash - 1]! : 0;
  const nameStart = text[slash + 1] === SLASH ? slash + 2 : slash + 1; // `//login`
  const nameEnd = endOfLoginCommand(text, nameStart);
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
  const isMenu =
    nameEnd - nameStart === CP.length && startsWithAnyCase(text, nameStart, CP) && isOneWord(text, start, end);
  if (isMenu || (!isReported(text, slash) && isSentence(text, start, end))) {
    return 0;
  }
  hits.add(start, end, KIND.secret);
  return end;
}

/** In the middle of a sentence (`oops /login hunter2`) the argument must look generated. The path of an HTTP request is not a command. */
function mentioned(text: Uint8Array, slash: number, nameEnd: number, start: number, hits: Hits): number {
  const end = find(text, start, SPACE);
  const isRequest = is(text[skipBack(text, slash, BLANK, 4) - 1]!, UPPER);
  if (isRequest || nameEnd - slash < SHORTEST_MENTIONED || !looksSecret(text, start, end)) {
    return 0;
  }
  hits.add(start, end, KIND.secret);
  return end;
}

/** Returns the end of the login command at `start`, or 0 if there is none. A plugin's name may precede it: `authme:login`. */
function endOfLoginCommand(text: Uint8Array, start: number): number {
  const end = endOfOneOf(text, start, LOGIN_COMMANDS);
  if (end > 0) {
    return end;
  }
  for (const plugin of PLUGINS) {
    if (startsWithAnyCase(text, start, plugin) && is(text[start + plugin.length]!, BLANK)) {
      return endOfOneOf(text, start + plugin.length + 1, PLUGIN_COMMANDS);
    }
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

/** The second word of sentences that begin with a command: `/login and /register are disabled`. */
const PROSE = new Set(
  'and or is are was were to with in on for command commands not has have will can cannot must'.split(' '),
);

function isSentence(text: Buffer, start: number, end: number): boolean {
  const wordEnd = find(text, start, SPACE);
  return wordEnd < end && PROSE.has(latin1(text, start, wordEnd).toLowerCase());
}

function isOneWord(text: Uint8Array, start: number, end: number): boolean {
  return find(text, start, SPACE) >= end;
}

/** By the lower five bits, which are the same for both cases of an ASCII letter. */
function byFirstByte(words: string): Uint8Array[][] {
  const names = words.split(' ').map(bytesOf);
  return Array.from({ length: 32 }, (_, letter) => names.filter((name) => (name[0]! & 0x1f) === letter));
}

/** True behind `command`, a colon, a prompt or a chat name, and at the start of the line. */
function isTyped(text: Uint8Array, start: number): boolean {
  const before = text[skipBack(text, start, BLANK, LONGEST_GAP) - 1]!;
  return before === COLON || before === GREATER || is(before, EOL) || isReported(text, start);
}

/** `issued server command: /login`, `executed command /login`: what follows is certainly a command. */
function isReported(text: Uint8Array, start: number): boolean {
  let at = skipBack(text, start, BLANK, LONGEST_GAP);
  at -= text[at - 1] === COLON ? 1 : 0;
  return startsWithAnyCase(text, at - COMMAND.length, COMMAND);
}

const LONGEST_GAP = 64;
