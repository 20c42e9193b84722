import { bytesOf, CLASS } from './byte-classes.ts';
import type { Hits } from './hits.ts';
import type { PrivateKeys } from './rules/private-keys.ts';

/**
 * One rule, called where its trigger stands at `at`. It adds what it finds and answers from where on the scan may go on,
 * or 0 if there is nothing. The text is one or more whole lines with at least 64 line ends before and behind, so that
 * a rule which stops at line ends needs no bounds checks and finds the same in a line alone as among others.
 */
export type Rule = (text: Buffer, at: number, hits: Hits, keys: PrivateKeys) => number;

/** A rule and where to ask it: at any of `bytes` that stands behind any of `before` (characters, or a mask of classes). */
export type TriggeredRule = readonly [before: string | number, bytes: string, rule: Rule];

/** Two line ends: what stands behind every text, so that the scan needs no other bound. */
const END_OF_TEXT = 0x0a0a;

/** Added to a rule's number, or alone: a literal of this instance may stand here. */
export const LITERAL = 0x80;

/**
 * One entry for each pair of neighbouring bytes, at `before << 8 | byte`: 0 for nearly all of them, or 1 plus the index
 * of the rule to ask. Two bytes rather than one, because a wrong guess of the processor costs more than a look at the
 * table: with single bytes every tenth one of a log was a trigger, with pairs every thirtieth is.
 */
export function triggerTable(rules: readonly TriggeredRule[], literalPairs: readonly number[]): Uint8Array {
  const table = new Uint8Array(1 << 16);
  for (const [index, [before, bytes]] of rules.entries()) {
    for (const first of typeof before === 'string' ? bytesOf(before) : bytesIn(before)) {
      for (const second of bytesOf(bytes)) {
        table[(first << 8) | second] = index + 1;
      }
    }
  }
  for (const pair of literalPairs) {
    table[pair]! |= LITERAL;
  }
  table[END_OF_TEXT] = LITERAL;
  return table;
}

/**
 * The first index from `at` on that is a trigger, or lies behind the text. Four bytes to a round, since the engine's
 * own work for each round of a loop is more than a look at the table.
 */
export function nextTrigger(table: Uint8Array, text: Buffer, from: number): number {
  let at = from;
  let before = text[at - 1]!;
  for (;;) {
    const first = text[at]!;
    if (table[(before << 8) | first] !== 0) {
      return at;
    }
    const second = text[at + 1]!;
    if (table[(first << 8) | second] !== 0) {
      return at + 1;
    }
    const third = text[at + 2]!;
    if (table[(second << 8) | third] !== 0) {
      return at + 2;
    }
    before = text[at + 3]!;
    if (table[(third << 8) | before] !== 0) {
      return at + 3;
    }
    at += 4;
  }
}

function bytesIn(mask: number): number[] {
  return [...CLASS.keys()].filter((byte) => (CLASS[byte]! & mask) !== 0);
}
