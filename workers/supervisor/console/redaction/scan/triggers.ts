import type { PrivateKeys } from '../rules/private-keys.ts';
import { bytesOf, CLASS } from './byte-classes.ts';
import type { Hits } from './hits.ts';

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
 * One entry for each pair of neighbouring bytes, at `byte << 8 | before` (as a little-endian read gives them): 0 for nearly all of them, or 1 plus the index
 * of the rule to ask. Two bytes rather than one, because a wrong guess of the processor costs more than a look at the
 * table: with single bytes every tenth one of a log was a trigger, with pairs every thirtieth is.
 */
export function triggerTable(rules: readonly TriggeredRule[]): Uint8Array {
  const table = new Uint8Array(1 << 16);
  for (const [index, [before, bytes]] of rules.entries()) {
    for (const first of typeof before === 'string' ? bytesOf(before) : bytesIn(before)) {
      for (const second of bytesOf(bytes)) {
        table[(second << 8) | first] = index + 1;
      }
    }
  }
  table[END_OF_TEXT] = LITERAL;
  return table;
}

/** The table for an instance whose literals are to be looked for at these pairs, too. */
export function withLiterals(table: Uint8Array, pairs: readonly number[]): Uint8Array {
  const own = Uint8Array.from(table);
  for (const pair of pairs) {
    own[pair]! |= LITERAL;
  }
  return own;
}

/**
 * The first index from `from` on that is a trigger, or lies behind the text. Three pairs come out of one read, and six
 * make a round, since the engine's own work for a read and for a round of a loop is more than a look at the table.
 */
export function nextTrigger(table: Uint8Array, text: DataView, from: number): number {
  for (let at = from; ; at += 6) {
    const first = text.getInt32(at - 1, true);
    const second = text.getInt32(at + 2, true);
    if (table[first & 0xffff] !== 0) {
      return at;
    }
    if (table[(first >>> 8) & 0xffff] !== 0) {
      return at + 1;
    }
    if (table[first >>> 16] !== 0) {
      return at + 2;
    }
    if (table[second & 0xffff] !== 0) {
      return at + 3;
    }
    if (table[(second >>> 8) & 0xffff] !== 0) {
      return at + 4;
    }
    if (table[second >>> 16] !== 0) {
      return at + 5;
    }
  }
}

function bytesIn(mask: number): number[] {
  return [...CLASS.keys()].filter((byte) => (CLASS[byte]! & mask) !== 0);
}
