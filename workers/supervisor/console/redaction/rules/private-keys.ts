import { KIND } from '../kinds.ts';
import { BASE64, BLANK, bytesOf, DIGIT, EOL, is, QUOTE, skipBack, startsWith } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DASH = 0x2d;
const COLON = 0x3a;
const CLOSE = 0x5d;
const EQUALS = 0x3d;
const PLUS = 0x2b;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

const BEGIN = bytesOf('-----BEGIN ');
const END = bytesOf('-----END ');
const PUTTY = bytesOf('Private-Lines: ');
/** Number of dashes before `BEGIN`. */
const DASHES = 5;
const PRIVATE_KEY = bytesOf('PRIVATE KEY');
/** `ENCRYPTED `, `OPENSSH `, `RSA `, `EC `, `DSA `, `PGP ` (with ` BLOCK` behind). */
const LONGEST_LABEL = 24;
/** An RSA key of 16,384 bits has about 200 lines. After more lines, the end marker was lost and the log is no longer part of the key. */
const MOST_LINES = 260;
/** In bytes. A shorter word at the end of a log line may be an ordinary word. */
const SHORTEST_LOGGED_WORD = 16;

/**
 * Private keys in PEM (RFC 7468) and OpenSSH's format. The only rule with a memory: a key's body is on the lines that follow, with or without
 * the log's prefix.
 */
export class PrivateKeys {
  #linesLeft = 0;

  /** True if the next line may belong to a key that has begun. */
  get inside(): boolean {
    return this.#linesLeft > 0;
  }

  /** Begins a key, at the `B` after the dashes. Hides the body on the same line, if any, and remembers whether it continues. */
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

  /** Begins one of PuTTY's keys, at the dash of `Private-Lines: 8`, which is the number of lines to come. Hides nothing itself. */
  beginPutty(text: Uint8Array, dash: number): 0 {
    const start = dash - 'Private'.length;
    if (startsWith(text, start, PUTTY)) {
      for (let at = start + PUTTY.length; is(text[at]!, DIGIT); at++) {
        this.#linesLeft = Math.min(MOST_LINES, this.#linesLeft * 10 + (text[at]! - 0x30));
      }
    }
    return 0;
  }

  /** Hides the line from `start` to `end`, inside a key. */
  continue(text: Uint8Array, start: number, end: number, hits: Hits): void {
    this.#linesLeft--;
    for (let at = start; at < end; at++) {
      if (text[at] === DASH && startsWith(text, at, END)) {
        this.#linesLeft = 0;
        return;
      }
    }
    const wordEnd = endOfBody(text, start, end);
    const word = skipBack(text, wordEnd, BASE64, wordEnd - start);
    if (word === wordEnd) {
      return;
    }
    const before = skipBack(text, word, BLANK | QUOTE, word - start);
    const wholeLine = before === start;
    const wholeMessage = before < word && (text[before - 1] === COLON || text[before - 1] === CLOSE);
    if (wholeLine || (wholeMessage && (wordEnd - word >= SHORTEST_LOGGED_WORD || text[wordEnd - 1] === EQUALS))) {
      hits.add(word, wordEnd, KIND.privateKey);
    }
  }
}

/** Leaves out what source code and JSON have behind each line: `\n" +`, `\n",`. */
function endOfBody(text: Uint8Array, start: number, end: number): number {
  let at = skipBack(text, end, BLANK, end - start);
  if ((text[at - 1] === PLUS && is(text[at - 2]!, BLANK)) || text[at - 1] === COMMA || text[at - 1] === SEMICOLON) {
    at = skipBack(text, at - 1, BLANK, at - 1 - start);
  }
  at -= at > start && is(text[at - 1]!, QUOTE) ? 1 : 0;
  while (at - 2 > start && text[at - 2] === BACKSLASH && (text[at - 1] === 0x6e || text[at - 1] === 0x72)) {
    at -= 2;
  }
  return at;
}
