import { BASE64, bytesOf, EOL, is, skipBack, startsWith } from '../byte-classes.ts';
import type { Hits } from '../hits.ts';
import { KIND } from '../kinds.ts';

const DASH = 0x2d;
const COLON = 0x3a;
const CLOSE = 0x5d;

const BEGIN = bytesOf('-----BEGIN ');
const END = bytesOf('-----END ');
/** Dashes before `BEGIN`. */
const DASHES = 5;
const PRIVATE_KEY = bytesOf('PRIVATE KEY');
/** `ENCRYPTED `, `OPENSSH `, `RSA `, `EC `, `DSA `, `PGP ` (with ` BLOCK` behind). */
const LONGEST_LABEL = 24;
/** An RSA key of 16,384 bits has about 200 lines. After that the end was lost, and the log goes on. */
const MOST_LINES = 260;
/** A shorter word at the end of a log line may just be a word. */
const SHORTEST_LOGGED_WORD = 16;

/**
 * Private keys in PEM (RFC 7468) and OpenSSH's form. The one rule that remembers something from line to line: a key's
 * body stands on lines of its own, with or without the log's prefix.
 */
export class PrivateKeys {
  #linesLeft = 0;

  /** Whether the next line may belong to a key that has begun. */
  get inside(): boolean {
    return this.#linesLeft > 0;
  }

  /** At the `B` behind the dashes: the body on the same line, if any, is found, and whether it goes on is kept. */
  begin(text: Uint8Array, label: number, hits: Hits): number {
    if (!startsWith(text, label - DASHES, BEGIN)) {
      return 0;
    }
    let at = label - DASHES + BEGIN.length;
    const limit = at + LONGEST_LABEL;
    while (at < limit && !is(text[at]!, EOL) && !startsWith(text, at, PRIVATE_KEY)) {
      at++;
    }
    if (!startsWith(text, at, PRIVATE_KEY)) {
      return 0;
    }
    while (!is(text[at]!, EOL) && text[at] !== DASH) {
      at++;
    }
    while (text[at] === DASH) {
      at++;
    }
    const start = at;
    while (!is(text[at]!, EOL) && !startsWith(text, at, END)) {
      at++;
    }
    const ended = text[at] === DASH;
    this.#linesLeft = ended || at > start + SHORTEST_LOGGED_WORD ? 0 : MOST_LINES;
    if (at > start && (ended || this.#linesLeft === 0)) {
      hits.add(start, at, KIND.privateKey);
    }
    return ended ? at + END.length : at;
  }

  /** The line from `start` to its end at `end`, while inside a key. */
  continue(text: Uint8Array, start: number, end: number, hits: Hits): void {
    this.#linesLeft--;
    for (let at = start; at < end; at++) {
      if (text[at] === DASH && startsWith(text, at, END)) {
        this.#linesLeft = 0;
        return;
      }
    }
    const word = skipBack(text, end, BASE64, end - start);
    if (word === end) {
      return;
    }
    const wholeLine = word === start;
    const wholeMessage = text[word - 1] === 0x20 && (text[word - 2] === COLON || text[word - 2] === CLOSE);
    if (wholeLine || (wholeMessage && (end - word >= SHORTEST_LOGGED_WORD || text[end - 1] === 0x3d))) {
      hits.add(word, end, KIND.privateKey);
    }
  }
}
