import { CUT_REMARK } from '../../terminal/line-cut.ts';
import { KIND } from '../kinds.ts';
import { BLANK, EOL, is } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

/**
 * Number of bytes before a cut that are hidden, because rules do not recognise something that was cut in two. Nothing that a rule must see
 * whole (an address, an e-mail, a URL's login, a known secret) is as long as this.
 */
const HELD_BACK = 1024;
/** Number of further bytes that may be hidden, to end at a whole word. */
const LONGEST_WORD = 128;

const REMARK = Buffer.from(CUT_REMARK);

/** Hides the end of a cut line, at its mark, with everything that begins earlier and reaches into it. */
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
  return REMARK.every((byte, i) => text[at + 1 + i] === byte);
}

/** Returns the index `bytes` before `at`, or the line's start if that is nearer. */
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
