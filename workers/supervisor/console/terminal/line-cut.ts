import { BLANK, EOL, is } from '../redaction/byte-classes.ts';
import type { Hits } from '../redaction/hits.ts';
import { KIND } from '../redaction/kinds.ts';

/**
 * Stands where a line that is too long was cut, before the remark that says so. No clean line has this character, and
 * the redaction takes it out again.
 */
export const CUT_MARK = '\0';

const REMARK = ' [gamekeeper] line cut, ';
const remark = Buffer.from(REMARK);

/** What is said at the end of a line that was cut. */
export function cutRemark(characters: number): string {
  return `${REMARK}it has ${characters} characters`;
}

/**
 * Bytes before a cut that are looked at and not shown: what is cut in two is no longer known for what it is, and nothing
 * that a rule must see the end of (an address, an e-mail, a URL's login, a literal) is as long as this.
 */
const HELD_BACK = 1024;
/** Bytes that are given up in addition so that a whole word is the last. */
const LONGEST_WORD = 128;

/** Takes out the end of a line that was cut, at its mark. What begins before and reaches into it is taken out with it. */
export function lineCut(text: Uint8Array, mark: number, hits: Hits): number {
  if (!isCutMark(text, mark)) {
    return 0;
  }
  const nearest = startOfCharacter(text, backFrom(text, mark, HELD_BACK));
  let start = backFrom(text, nearest, LONGEST_WORD);
  for (let at = nearest; at > start; at--) {
    if (is(text[at - 1]!, BLANK)) {
      start = at;
    }
  }
  const hasBlank = is(text[start - 1]!, BLANK | EOL);
  hits.add(hasBlank ? start : nearest, mark + 1, KIND.cut);
  return mark + 1;
}

function isCutMark(text: Uint8Array, at: number): boolean {
  return remark.every((byte, i) => text[at + 1 + i] === byte);
}

/** `bytes` before `at`, or the line's start if that is nearer. */
function backFrom(text: Uint8Array, at: number, bytes: number): number {
  let start = at;
  while (start > at - bytes && !is(text[start - 1]!, EOL)) {
    start--;
  }
  return start;
}

function startOfCharacter(text: Uint8Array, at: number): number {
  let start = at;
  while ((text[start]! & 0xc0) === 0x80) {
    start--;
  }
  return start;
}
