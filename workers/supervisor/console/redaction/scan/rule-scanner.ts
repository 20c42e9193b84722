import { RULES } from '../rule-table.ts';
import { lineCut } from '../rules/cut-lines.ts';
import { PrivateKeys } from '../rules/private-keys.ts';
import { undashedUuids } from '../rules/uuids.ts';
import { EOL, find } from './byte-classes.ts';
import { EscapedText } from './escaped-text.ts';
import { harmlessLength, isInTimes } from './harmless-stops.ts';
import { Hits } from './hits.ts';
import { KnownLiterals } from './known-literals.ts';
import type { PlainText } from './plain-text.ts';
import { compileTriggers, LITERAL, nextTrigger, withLiterals } from './triggers.ts';

const CR = 0x0d;
const LF = 0x0a;
const NUL = 0x00;

const { table: TRIGGERS, rules: BY_NUMBER } = compileTriggers(RULES);

type Scanned = Pick<PlainText, 'bytes' | 'view' | 'start' | 'end'>;

/** Runs all rules over a text in one pass, which stops at the pairs of bytes that trigger a rule. */
export class RuleScanner {
  readonly #triggers: Uint8Array;
  readonly #literals: KnownLiterals;
  /** One for each level of escapes: JSON in a string of JSON in a URL is the deepest seen. */
  readonly #escaped = [new EscapedText(), new EscapedText(), new EscapedText()];
  /** True unless a known secret could stop the scan within a time of day. */
  readonly #skipsTimes: boolean;

  constructor(secrets: readonly string[]) {
    this.#literals = new KnownLiterals(secrets);
    this.#triggers = withLiterals(TRIGGERS, this.#literals.pairs);
    this.#skipsTimes = !this.#literals.pairs.some((pair) => isInTimes(pair >>> 8) && isInTimes(pair & 0xff));
  }

  /** Adds to `hits` everything private in whole lines. `keys` remembers a private key that began in an earlier line. */
  find(text: PlainText, hits: Hits, keys: PrivateKeys): void {
    this.#findAsWritten(text, hits, keys);
    if (hits.escaped.length > 0) {
      this.#findEscaped(text.bytes, hits, 0);
    }
    hits.settle();
  }

  /** Returns how many bytes at the end of a text may be the beginning of a known secret that contains a space. */
  literalBegunAtEnd({ bytes, start }: PlainText, end: number): number {
    return this.#literals.begunAtEnd(bytes, start, end);
  }

  #findAsWritten(text: Scanned, hits: Hits, keys: PrivateKeys): void {
    const { bytes, start, end } = text;
    for (let at = start; at < end; ) {
      if (keys.inside) {
        const lineEnd = find(bytes, at, EOL);
        keys.continue(bytes, at, lineEnd, hits);
        this.#scan(text, at, lineEnd, hits, keys);
        at = nextLine(bytes, lineEnd, hits);
      } else {
        at = this.#scan(text, at, end, hits, keys);
      }
    }
    undashedUuids(bytes, start, end, hits);
  }

  /** Scans the lines with escapes again with these undone, and repeats that for escapes within escapes. */
  #findEscaped(text: Uint8Array, hits: Hits, depth: number): void {
    const escaped = this.#escaped[depth];
    if (escaped === undefined) {
      return;
    }
    for (let i = 0; i < hits.escaped.length; i += 2) {
      const found = new Hits();
      escaped.load(text, hits.escaped[i]!, hits.escaped[i + 1]!);
      this.#findAsWritten(escaped, found, new PrivateKeys());
      this.#findEscaped(escaped.bytes, found, depth + 1);
      for (let hit = 0; hit < found.count; hit++) {
        hits.add(escaped.origin(found.starts[hit]!), escaped.origin(found.ends[hit]!), found.kind(hit));
      }
    }
  }

  /** Returns where it stopped: at `to`, or at the line after one in which a private key begins. */
  #scan({ bytes, view }: Scanned, from: number, to: number, hits: Hits, keys: PrivateKeys): number {
    const triggers = this.#triggers;
    for (let at = nextTrigger(triggers, view, from); at < to; at = nextTrigger(triggers, view, at)) {
      const trigger = triggers[(bytes[at]! << 8) | bytes[at - 1]!]!;
      if (trigger >= LITERAL) {
        this.#literals.find(bytes, at, hits);
      }
      const harmless = harmlessLength(bytes, at);
      if (harmless > 0) {
        at += this.#skipsTimes ? harmless : 1;
        continue;
      }
      const rule = trigger & ~LITERAL;
      const next = rule === 0 ? 0 : BY_NUMBER[rule - 1]!(bytes, at, hits, keys);
      at = next > at ? next : at + 1;
      if (keys.inside) {
        return nextLine(bytes, find(bytes, at, EOL), hits);
      }
    }
    return to;
  }
}

/** Returns the index after the line end at `end`. If the line was cut there, the scan continues after the mark. */
function nextLine(text: Uint8Array, end: number, hits: Hits): number {
  if (text[end] === NUL) {
    lineCut(text, end, hits);
    return end + 1;
  }
  let at = end;
  while (text[at] === CR) {
    at++;
  }
  return text[at] === LF ? at + 1 : at;
}
