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

/** In bytes. Longer hits are not compared with the exceptions. */
const LONGEST_EXCEPTION = 256;

/** Applies the owner's regular expressions to a scanned text, line by line. */
export class OwnerFilter {
  readonly #patterns: readonly RegExp[];
  readonly #exceptions: readonly RegExp[];

  constructor({ patterns = [], exceptions = [] }: OwnerRules) {
    this.#patterns = patterns.map((pattern) => new RegExp(pattern.source, flagsWith(pattern.flags, 'g')));
    this.#exceptions = exceptions.map(
      (pattern) => new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, '')),
    );
  }

  get hasPatterns(): boolean {
    return this.#patterns.length > 0;
  }

  /** Removes the exceptions from the hits and adds what the patterns match. */
  apply(text: PlainText, hits: Hits): void {
    if (this.#exceptions.length > 0) {
      hits.filter((start, end, kind) => {
        if (kind === KIND.cut || end - start > LONGEST_EXCEPTION) {
          return true;
        }
        const found = text.bytes.toString('utf8', start, end);
        return !this.#exceptions.some((exception) => exception.test(found));
      });
    }
    if (this.#patterns.length > 0) {
      this.#addMatches(text, hits);
      hits.settle();
    }
  }

  #addMatches({ bytes, start, end }: PlainText, hits: Hits): void {
    for (let at = start; at < end; at++) {
      const lineEnd = find(bytes, at, EOL);
      if (lineEnd > at) {
        this.#addFromLine(bytes, at, lineEnd, hits);
      }
      at = lineEnd;
    }
  }

  #addFromLine(bytes: Buffer, start: number, end: number, hits: Hits): void {
    const line = bytes.toString('utf8', start, end);
    const isAscii = line.length === end - start;
    const offset = (index: number) => start + (isAscii ? index : Buffer.byteLength(line.slice(0, index)));
    for (let from = 0; from < line.length; from += WINDOW - OVERLAP) {
      const window = line.slice(from, from + WINDOW);
      for (const pattern of this.#patterns) {
        for (const { 0: found, index } of window.matchAll(pattern)) {
          if (found !== '') {
            hits.add(offset(from + index), offset(from + index + found.length), KIND.custom);
          }
        }
      }
      if (from + WINDOW >= line.length) {
        return;
      }
    }
  }
}

function flagsWith(flags: string, wanted: string): string {
  return `${flags.replace(/[gy]/g, '')}${wanted}`;
}
