import { MOST_WORDS_BEHIND } from '../clues/version-context.ts';
import { BLANK, is, latin1, skipBack } from './byte-classes.ts';
import type { Hits } from './hits.ts';
import type { PlainText } from './plain-text.ts';

/**
 * Beginnings of hits that may continue after a space with text that has not arrived yet: a typed command with its arguments, a key in PEM, a
 * folder's name with spaces, an open quote or list, a UUID in numbers, an element's content, what may be an AWS secret before its key id;
 * and all escapes, as they may stand for any of these. No alternative scans the same text repeatedly, which would be slow in lines of 64 KiB.
 */
const REACHES_ON = new RegExp(
  [
    String.raw`(?<![^\s"'\x60>:])/\S*`,
    String.raw`-----\S*`,
    String.raw`[\\/](?:users|documents and settings)[\\/]\S*`,
    String.raw`(?<![^\s=:,[({\\])(["'\x60])(?:\\.|(?!\1).)*$`,
    String.raw`[;=:]\s*\[[^\][]*$|\[I;[^\][]*$`,
    String.raw`[\w"']>(?=[^\s<])[^<>]*$`,
    String.raw`(?<![a-z\d/+])[a-z\d/+]{40}(?![a-z\d/+])`,
    String.raw`>\s+(?:login|reg|register|changepass|changepassword)\s`,
    String.raw`%[0-9a-f]{2}|\\["'\x60/:=#! unrtx\\]|&(?:#|quot|amp|lt|gt|apos)`,
  ].join('|'),
  'i',
);

/** An address or a version, which the words after it may decide. */
const NUMBER = /\d\.\d+\.\d+\.\d/;

/**
 * Returns the index up to which an unfinished line is settled: no hit will ever cross it, whatever follows. `to` is the end of the line so
 * far, `hits` are the hits in it as if it ended there, and the last `begun` bytes may be the beginning of a known secret.
 */
export function settledEnd({ bytes, start }: PlainText, to: number, hits: Hits, begun: number): number {
  const lastWord = endOfLastWhole(bytes, start, skipBack(bytes, to, BLANK, to - start));
  let end = endOfLastWhole(bytes, start, to - begun);
  const open = REACHES_ON.exec(latin1(bytes, start, end))?.index ?? end - start;
  end = beforeNumber(bytes, start, endOfLastWhole(bytes, start, Math.min(end, start + open)));
  for (let i = hits.count - 1; i >= 0; i--) {
    if (hits.starts[i]! < end && (hits.ends[i]! > end || hits.ends[i]! > lastWord)) {
      end = endOfLastWhole(bytes, start, hits.starts[i]!);
    }
  }
  return end;
}

/** Returns the index before the last words if one of them is a number that the words to come may decide, else `end`. */
function beforeNumber(text: Buffer, from: number, end: number): number {
  let at = end;
  for (let word = 0; word < MOST_WORDS_BEHIND; word++) {
    at = endOfLastWhole(text, from, skipBack(text, at, BLANK, at - from));
  }
  const number = NUMBER.exec(latin1(text, at, end))?.index;
  return number === undefined ? end : endOfLastWhole(text, from, at + number);
}

/** Returns the index after the last blank before `end`, because the last word may not be complete. */
function endOfLastWhole(text: Uint8Array, from: number, end: number): number {
  let at = end;
  while (at > from && !is(text[at - 1]!, BLANK)) {
    at--;
  }
  return at;
}
