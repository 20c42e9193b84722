import { KIND } from '../kinds.ts';
import { BLANK, bytesOf, EOL, is, latin1, SPACE, skip, startsWithAnyCase } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const SPACE_BYTE = 0x20;
const GREATER = 0x3e;
const LOGIN = bytesOf('login');
const REGISTER = bytesOf('register');

/** Words that people write after "login" in sentences. */
const CHAT = new Set(
  (
    'please pls plz failed works worked working issue issues screen page here now again first button bug lag problem problems ' +
    'error errors server command password time times spawn broken fixed done lol what why how event events'
  ).split(' '),
);

/** A login command without its slash, behind a chat name or a prompt, at the `i` of `login` or `register`: `<Steve> login hunter2`. */
export function chatLogin(text: Buffer, i: number, hits: Hits): number {
  return withoutSlash(text, i - 3, LOGIN, 1, hits) || withoutSlash(text, i - 3, REGISTER, 2, hits);
}

/** Hides the words behind the command at `start` if there are exactly `count`: sentences about it have more or fewer. */
function withoutSlash(text: Buffer, start: number, name: Uint8Array, count: number, hits: Hits): number {
  const nameEnd = start + name.length;
  if (text[start - 1] !== SPACE_BYTE || text[start - 2] !== GREATER || !startsWithAnyCase(text, start, name)) {
    return 0;
  }
  const from = skip(text, nameEnd, BLANK, LONGEST);
  const to = endOfWords(text, from, count);
  if (from === nameEnd || to === from || isTalk(text, from, to)) {
    return 0;
  }
  hits.add(from, to, KIND.secret);
  return to;
}

/** Returns the end of `count` words, or `start` if the line has more or fewer. */
function endOfWords(text: Uint8Array, start: number, count: number): number {
  let end = start;
  for (let word = 0; word < count; word++) {
    const wordStart = skip(text, end, BLANK, LONGEST);
    end = wordStart;
    while (end < start + LONGEST && !is(text[end]!, SPACE)) {
      end++;
    }
    if (end === wordStart) {
      return start;
    }
  }
  return is(text[skip(text, end, BLANK, LONGEST)]!, EOL) ? end : start;
}

function isTalk(text: Buffer, start: number, end: number): boolean {
  return latin1(text, start, end)
    .split(/\s+/)
    .some((word) => CHAT.has(word.toLowerCase()) || /^[[<]/.test(word));
}

/** In bytes: two passwords of 64 characters. */
const LONGEST = 130;
