import type { PrivateKeys } from '../rules/private-keys.ts';
import { bytesOf, CLASS } from './byte-classes.ts';
import type { Hits } from './hits.ts';

/**
 * Looks for something private around index `at`, where one of the rule's triggers was found. Adds what it finds to `hits` and returns the
 * index from which the scan continues, or 0 if it found nothing. The text is one or more whole lines with at least 64 line ends before and
 * after them, so a rule that stops at line ends needs no bounds checks.
 */
export type Rule = (text: Buffer, at: number, hits: Hits, keys: PrivateKeys) => number;

/** A rule and its triggers: each of `bytes` that follows one of `before` (characters, or a mask of byte classes). */
export type TriggeredRule = readonly [before: string | number, bytes: string, rule: Rule];

/** The table's value for two line ends. Every text ends with them, so the scan needs no other bound. */
const END_OF_TEXT = 0x0a0a;

/** Added to a rule's number, or alone: a known secret may stand here. */
export const LITERAL = 0x80;

export interface Triggers {
  /**
   * One entry for each pair of neighbouring bytes, at `byte << 8 | before`, as a little-endian read returns them: 0 for nearly all of them,
   * otherwise 1 plus the index in `rules`.
   */
  readonly table: Uint8Array;
  readonly rules: readonly Rule[];
}

/**
 * Compiles the rules. Rules that share a trigger are asked in their order until one finds something. Triggers are pairs of bytes rather
 * than single bytes because a wrong branch prediction costs more than a look-up: every tenth single byte of a log would be a trigger, but
 * only every thirtieth pair is.
 */
export function compileTriggers(triggered: readonly TriggeredRule[]): Triggers {
  const table = new Uint8Array(1 << 16);
  const rules: Rule[] = [];
  const numbers = new Map<string, number>();
  for (const [pair, indexes] of rulesByPair(triggered)) {
    const combination = indexes.join();
    const number = numbers.get(combination) ?? rules.push(firstHit(indexes.map((index) => triggered[index]![2])));
    numbers.set(combination, number);
    table[pair] = number;
  }
  if (rules.length >= LITERAL) {
    throw new RangeError('The table has no numbers left for more combinations of rules');
  }
  table[END_OF_TEXT] = LITERAL;
  return { table, rules };
}

/** Returns a rule that tries the given ones in their order. */
function firstHit([first, ...others]: readonly Rule[]): Rule {
  if (others.length === 0) {
    return first!;
  }
  const next = firstHit(others);
  return (text, at, hits, keys) => first!(text, at, hits, keys) || next(text, at, hits, keys);
}

function rulesByPair(triggered: readonly TriggeredRule[]): Map<number, number[]> {
  const byPair = new Map<number, number[]>();
  for (const [index, [before, bytes]] of triggered.entries()) {
    const seconds = bytesOf(bytes);
    for (const first of typeof before === 'string' ? bytesOf(before) : bytesIn(before)) {
      for (const second of seconds) {
        const pair = (second << 8) | first;
        byPair.set(pair, [...(byPair.get(pair) ?? []), index]);
      }
    }
  }
  return byPair;
}

/** Returns the table for an instance whose known secrets are looked for at these pairs as well. */
export function withLiterals(table: Uint8Array, pairs: readonly number[]): Uint8Array {
  const own = Uint8Array.from(table);
  for (const pair of pairs) {
    own[pair]! |= LITERAL;
  }
  return own;
}

/**
 * Returns the first index from `from` that is a trigger or lies after the text. Unrolled: one read serves three pairs and one round six,
 * because V8's overhead for a read and for a round exceeds the cost of a look-up.
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
