import { MOST_WORDS_BEHIND } from '../clues/version-context.ts';
import { BLANK, is, latin1, skipBack } from './byte-classes.ts';
import type { Hits } from './hits.ts';
import type { PlainText } from './plain-text.ts';

/**
 * Beginnings of finds that may reach over spaces to what is not there yet: a typed command with its arguments, a key in
 * PEM, a folder's name with spaces, a quote or a list that is not closed, a UUID in numbers, an element's content; and whatever has
 * escapes, as those may stand for any of these. Everything else that does so ends at the end of what is there, or is one
 * word. No part of it looks at the same text again and again, which lines of 64 KiB would make slow.
 */
const REACHES_ON = new RegExp(
  [
    String.raw`(?<![^\s"'\x60>:])/\S*`,
    String.raw`-----\S*`,
    String.raw`[\\/](?:users|documents and settings)[\\/]\S*`,
    String.raw`(?<![^\s=:,[({\\])(["'\x60])(?:\\.|(?!\1).)*$`,
    String.raw`[;=:]\s*\[[^\][]*$|\[I;[^\][]*$`,
    String.raw`[\w"']>(?=[^\s<])[^<>]*$`,
    String.raw`>\s+(?:login|reg|register|changepass|changepassword)\s`,
    String.raw`%[0-9a-f]{2}|\\["'\x60/:=#! unrtx\\]|&(?:#|quot|amp|lt|gt|apos)`,
  ].join('|'),
  'i',
);

/** The words behind it may make it a version. */
const NUMBER = /\d\.\d+\.\d+\.\d/;

/**
 * Up to where a line that has not ended yet is settled: whatever follows, no rule will find anything across there.
 * `to` is the end of the line as it stands, `hits` is what the rules have found in it with a line end there, and the last
 * `begun` bytes may be the beginning of a literal.
 */
export function settledEnd({ bytes, start }: PlainText, to: number, hits: Hits, begun: number): number {
  const endOfWords = skipBack(bytes, to, BLANK, to - start);
  let end = endOfLastWhole(bytes, start, to - begun);
  const open = REACHES_ON.exec(latin1(bytes, start, end))?.index ?? end - start;
  end = beforeNumber(bytes, start, endOfLastWhole(bytes, start, Math.min(end, start + open)));
  for (let i = hits.count - 1; i >= 0; i--) {
    if (hits.starts[i]! < end && (hits.ends[i]! > end || hits.ends[i]! >= endOfWords)) {
      end = endOfLastWhole(bytes, start, hits.starts[i]!);
    }
  }
  return end;
}

/** Before the last words, if one of them is a number whose meaning depends on more than they are. */
function beforeNumber(text: Buffer, from: number, end: number): number {
  let at = end;
  for (let word = 0; word < MOST_WORDS_BEHIND; word++) {
    at = endOfLastWhole(text, from, skipBack(text, at, BLANK, at - from));
  }
  const number = NUMBER.exec(latin1(text, at, end))?.index;
  return number === undefined ? end : endOfLastWhole(text, from, at + number);
}

/** Behind the last blank before `end`: a word may still go on. */
function endOfLastWhole(text: Uint8Array, from: number, end: number): number {
  let at = end;
  while (at > from && !is(text[at - 1]!, BLANK)) {
    at--;
  }
  return at;
}
