import { BLANK, bytesOf, EOL, is, latin1, SPACE, skip, startsWithAnyCase } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';

/** How many words they want: whoever only talks about them says more, or less. */
const COMMANDS = Object.entries({ login: 1, register: 2, reg: 2, changepassword: 2, changepass: 2 }).map(
  ([name, count]) => ({ name: bytesOf(name), count }),
);

/** What people say behind `login`. */
const CHAT = new Set(
  (
    'please pls plz failed works worked working issue issues screen page here now again first button bug lag problem problems ' +
    'error errors server command password time times spawn broken fixed done lol what why how event events'
  ).split(' '),
);

/**
 * A login command whose slash was forgotten, at the blank behind a chat name or a prompt: `<Steve> login hunter2`. Everybody
 * on the server has read it; the log need not keep it.
 */
export function chatLogin(text: Buffer, blank: number, hits: Hits): number {
  const start = blank + 1;
  for (const { name, count } of COMMANDS) {
    const nameEnd = start + name.length;
    if (startsWithAnyCase(text, start, name) && is(text[nameEnd]!, BLANK)) {
      const from = skip(text, nameEnd, BLANK, LONGEST);
      const to = endOfWords(text, from, count);
      if (to === from || isTalk(text, from, to)) {
        return 0;
      }
      hits.add(from, to, KIND.secret);
      return to;
    }
  }
  return 0;
}

/** Where as many words end, or `start` if there are more on the line, or fewer. */
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

/** Two passwords of 64 characters. */
const LONGEST = 130;
