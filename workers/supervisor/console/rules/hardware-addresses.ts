import { ALNUM, HEX, is } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';

/** Six groups of two digits make 17 characters. */
const LENGTH = 17;

/** A MAC address at its first separator, `:` or `-`: `02:42:ac:11:00:02`, `02-42-AC-11-00-02`. Answers 0 if there is none. */
export function hardwareAddress(text: Uint8Array, separator: number, hits: Hits): number {
  const mark = text[separator]!;
  if (text[separator + 3] !== mark || text[separator + 6] !== mark || text[separator + 9] !== mark) {
    return 0;
  }
  const start = separator - 2;
  const end = start + LENGTH;
  if (text[separator + 12] !== mark || isJoined(text[start - 1]!, mark) || isJoined(text[end]!, mark)) {
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

function isJoined(neighbour: number, mark: number): boolean {
  return neighbour === mark || is(neighbour, ALNUM);
}
