import { KIND } from '../kinds.ts';
import { DIGIT, HEX, IDENTIFIER, is, skip } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

/** In bytes: six groups of two digits. */
const LENGTH = 17;

/** A MAC address, at its first separator: `02:42:ac:11:00:02`, `02-42-AC-11-00-02`. */
export function hardwareAddress(text: Uint8Array, separator: number, hits: Hits): number {
  const mark = text[separator]!;
  if (text[separator + 3] !== mark || text[separator + 6] !== mark || text[separator + 9] !== mark) {
    return 0;
  }
  const start = separator - 2;
  const end = start + LENGTH;
  if (text[separator + 12] !== mark || goesOn(text, start - 1, mark, -1) || goesOn(text, end, mark, 1)) {
    return 0;
  }
  for (let at = start; at < end; at += 3) {
    if (!is(text[at]!, HEX) || !is(text[at + 1]!, HEX)) {
      return 0;
    }
  }
  hits.add(start, end, KIND.mac);
  return end;
}

const DOT = 0x2e;
/** In bytes: three groups of four digits. */
const DOTTED_LENGTH = 14;

/** A MAC address as network equipment prints it, at either dot: `001A.2B3C.4D5E`. Only digits are a number, only letters a package. */
export function dottedHardwareAddress(text: Uint8Array, dot: number, hits: Hits): number {
  const start = text[dot + 5] === DOT ? dot - 4 : dot - 9;
  const end = start + DOTTED_LENGTH;
  if (text[start + 4] !== DOT || text[start + 9] !== DOT || isDotted(text, start - 1, -1) || isDotted(text, end, 1)) {
    return 0;
  }
  let digits = 0;
  for (let group = start; group < end; group += 5) {
    if (skip(text, group, HEX, 5) !== group + 4) {
      return 0;
    }
    for (let at = group; at < group + 4; at++) {
      digits += is(text[at]!, DIGIT) ? 1 : 0;
    }
  }
  if (digits === 0 || digits === 12) {
    return 0;
  }
  hits.add(start, end, KIND.mac);
  return end;
}

/** Returns whether a longer name continues at `at`, in the direction of `step`. A full stop at the end of a sentence does not count. */
function isDotted(text: Uint8Array, at: number, step: 1 | -1): boolean {
  return is(text[at]!, IDENTIFIER) || (text[at] === DOT && is(text[at + step]!, IDENTIFIER));
}

/** Returns whether another group or digit follows at `at`, in the direction of `step`, as in a certificate's fingerprint. */
function goesOn(text: Uint8Array, at: number, mark: number, step: 1 | -1): boolean {
  const isGroup = is(text[at + step]!, HEX) && is(text[at + 2 * step]!, HEX) && !is(text[at + 3 * step]!, IDENTIFIER);
  return is(text[at]!, HEX) || (text[at] === mark && isGroup);
}
