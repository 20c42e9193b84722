import type { PatternBudget } from '../../../../shared/node/primitives/pattern-budget.ts';
import { KIND } from './kinds.ts';
import { EOL, find } from './scan/byte-classes.ts';
import type { Hits } from './scan/hits.ts';
import type { PlainText } from './scan/plain-text.ts';

/** Regular expressions from `redaction` in the settings, which were checked for safe running time when they were saved. */
export interface OwnerRules {
  /** What they match in a line's plain text is redacted as well. */
  readonly patterns?: readonly RegExp[];
  /** A hit that one of them matches as a whole is not redacted (the server's own address, a bot's e-mail). */
  readonly exceptions?: readonly RegExp[];
}

/**
 * Characters that a pattern sees at a time, in overlapping windows. A search for `a+b` takes time that grows with the square of the length:
 * seconds for the longest line.
 */
const WINDOW = 512;
const OVERLAP = 128;

const LOW_SURROGATE = /^[\udc00-\udfff]/;

/** In bytes. Longer hits are not compared with the exceptions. */
const LONGEST_EXCEPTION = 256;

/** A part of a line. */
interface Window {
  text: string;
  /** Where it begins, in bytes. */
  offset: number;
  isAscii: boolean;
}

/** Applies the owner's regular expressions to a scanned text, line by line. */
export class OwnerFilter {
  readonly #patterns: readonly RegExp[];
  readonly #exceptions: readonly RegExp[];
  readonly #budget: PatternBudget;

  constructor({ patterns = [], exceptions = [] }: OwnerRules, budget: PatternBudget) {
    this.#patterns = patterns.map((pattern) => new RegExp(pattern.source, flagsWith(pattern.flags, 'g')));
    this.#exceptions = exceptions.map(
      (pattern) => new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, '')),
    );
    this.#budget = budget;
  }

  get hasPatterns(): boolean {
    return this.#patterns.length > 0;
  }

  /** Removes the exceptions from the hits and adds what the patterns match, or the part of a line for which they took too long. */
  apply(text: PlainText, hits: Hits): void {
    if (this.#exceptions.length > 0 && hits.count > 0) this.#removeExceptions(text, hits);
    if (this.#patterns.length > 0) {
      this.#addMatches(text, hits);
      hits.settle();
    }
  }

  #removeExceptions(text: PlainText, hits: Hits): void {
    const found: (string | undefined)[] = [];
    hits.filter((start, end, kind) => {
      const mayBe = kind !== KIND.cut && end - start <= LONGEST_EXCEPTION;
      found.push(mayBe ? text.bytes.toString('utf8', start, end) : undefined);
      return true;
    });
    const excepted = this.#budget.each(
      found,
      (hit) => hit !== undefined && this.#exceptions.some((exception) => exception.test(hit)),
    );
    let at = 0;
    hits.filter(() => excepted[at++] !== true);
  }

  #addMatches({ bytes, start, end }: PlainText, hits: Hits): void {
    const windows: Window[] = [];
    for (let at = start; at < end; at++) {
      const lineEnd = find(bytes, at, EOL);
      if (lineEnd > at) windows.push(...windowsOf(bytes, at, lineEnd));
      at = lineEnd;
    }
    const matches = this.#budget.each(windows, ({ text }) => this.#matchesIn(text));
    for (const [index, window] of windows.entries()) addMatches(window, matches[index], hits);
  }

  /** Returns where the matches begin and end, one after the other. */
  #matchesIn(text: string): number[] {
    const found: number[] = [];
    for (const pattern of this.#patterns) {
      for (const { 0: match, index } of text.matchAll(pattern)) {
        if (match !== '') found.push(index, index + match.length);
      }
    }
    return found;
  }
}

function* windowsOf(bytes: Buffer, start: number, end: number): Generator<Window> {
  const line = bytes.toString('utf8', start, end);
  const isAscii = line.length === end - start;
  for (let from = 0; ; from += WINDOW - OVERLAP) {
    // Half a character has no bytes of its own.
    if (LOW_SURROGATE.test(line.charAt(from))) from--;
    const offset = start + (isAscii ? from : Buffer.byteLength(line.slice(0, from)));
    yield { text: line.slice(from, from + WINDOW), offset, isAscii };
    if (from + WINDOW >= line.length) return;
  }
}

/** Without matches, because finding them took too long, all of the window is hidden. */
function addMatches({ text, offset, isAscii }: Window, matches: readonly number[] | undefined, hits: Hits): void {
  const at = (index: number) => offset + (isAscii ? index : Buffer.byteLength(text.slice(0, index)));
  if (!matches) hits.add(offset, at(text.length), KIND.unchecked);
  else for (let i = 0; i < matches.length; i += 2) hits.add(at(matches[i]!), at(matches[i + 1]!), KIND.custom);
}

function flagsWith(flags: string, wanted: string): string {
  return `${flags.replace(/[gy]/g, '')}${wanted}`;
}
