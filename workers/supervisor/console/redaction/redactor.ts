import { LONGEST_NAME } from './kinds.ts';
import { type OwnerRules, OwnRules } from './owner-rules.ts';
import { Pseudonyms } from './pseudonyms/pseudonyms.ts';
import { PrivateKeys } from './rules/private-keys.ts';
import { Hits } from './scan/hits.ts';
import { PlainText } from './scan/plain-text.ts';
import { RedactionRules } from './scan/rule-scanner.ts';
import { settledEnd } from './scan/settled-end.ts';

const LF = 0x0a;
const LINE_END = Buffer.from('\r\n');

/** Bytes scanned at a time: the plain copy stays in the processor's cache. Longer lines are taken whole. */
const PIECE = 64 * 1024;

export interface RedactorOptions {
  /** The instance's own key for pseudonyms, at least 16 random bytes. It must never leave the instance. */
  readonly key: Uint8Array;
  /** Secrets that the daemon knows and that must not show wherever they appear. */
  readonly secrets?: readonly string[];
  /** What the owner added in the settings. */
  readonly owner?: OwnerRules;
}

/**
 * Takes personal data and secrets out of console text. Lines are independent of each other but for private keys, whose
 * bodies span lines: give one stream's lines to one redactor, in order.
 */
export class Redactor {
  #rules: RedactionRules;
  #owner: OwnRules;
  readonly #names: Pseudonyms;
  readonly #keys = new PrivateKeys();
  readonly #plain = new PlainText(PIECE);
  readonly #hits = new Hits();
  #redactions = 0;
  /** Written anew by each piece: a flood would otherwise allocate as fast as it prints. */
  #output = Buffer.alloc(0);

  constructor(options: RedactorOptions) {
    this.#rules = new RedactionRules(options.secrets ?? []);
    this.#owner = new OwnRules(options.owner ?? {});
    this.#names = new Pseudonyms(options.key);
  }

  /** How many finds were replaced in the stream. */
  get redactions(): number {
    return this.#redactions;
  }

  /** Hides these secrets from now on instead of those known before. What the stream is in the middle of is not forgotten. */
  hideSecrets(secrets: readonly string[]): void {
    this.#rules = new RedactionRules(secrets);
  }

  /** The owner's rules from now on. */
  setOwner(owner: OwnerRules): void {
    this.#owner = new OwnRules(owner);
  }

  /**
   * Redacts whole lines, each ending in LF or CR LF. Text with nothing to take out comes back as the same buffer, other
   * text in a buffer that holds until the next call.
   */
  redact(lines: Buffer): Buffer {
    if (lines.length <= PIECE) {
      const redacted = this.#redactPiece(lines);
      this.#redactions += this.#hits.count;
      return redacted;
    }
    const pieces: Buffer[] = [];
    for (let from = 0; from < lines.length; ) {
      const end = endOfPiece(lines, from);
      pieces.push(Buffer.from(this.#redactPiece(lines.subarray(from, end))));
      this.#redactions += this.#hits.count;
      from = end;
    }
    return Buffer.concat(pieces);
  }

  /** Redacts one line without its end. What `redact` does to many is this for each. */
  redactLine(line: Buffer): Buffer {
    const redacted = this.#redactPiece(Buffer.concat([line, LINE_END]));
    return Buffer.from(redacted.subarray(0, redacted.length - LINE_END.length));
  }

  /** Redacts text that is not part of the stream (an answer over RCON, a problem's detail), of any number of lines. */
  redactText(text: string): string {
    const redacted = this.#redactPiece(Buffer.from(`${text}\n`), new PrivateKeys());
    return redacted.toString('utf8', 0, redacted.length - 1);
  }

  /**
   * As much of a line that has not ended yet as can be shown now: the redacted line will begin with it, whatever is
   * still to come. With the owner's own patterns, which may match anything, that is nothing.
   */
  settled(unfinished: Buffer): Buffer {
    if (this.#owner.hasPatterns || this.#keys.inside) {
      return Buffer.alloc(0);
    }
    const plain = this.#plain;
    const hits = this.#hits;
    plain.load(Buffer.concat([unfinished, LINE_END]));
    hits.clear();
    const to = plain.end - LINE_END.length;
    this.#rules.find(plain, hits, new PrivateKeys());
    const end = settledEnd(plain, to, hits, this.#rules.literalBegunAtEnd(plain, to));
    this.#owner.apply(plain, hits);
    // Not the beginning redacted by itself: without what follows it may seem to be something else.
    hits.filter((_, hitEnd) => hitEnd <= end);
    return Buffer.from(this.#replace(unfinished.subarray(0, plain.colouredIndex(end))));
  }

  #redactPiece(lines: Buffer, keys = this.#keys): Buffer {
    const plain = this.#plain;
    const hits = this.#hits;
    plain.load(lines);
    hits.clear();
    this.#rules.find(plain, hits, keys);
    this.#owner.apply(plain, hits);
    return hits.count === 0 ? lines : this.#replace(lines);
  }

  /** Puts names in place of the finds. Colours inside a find stay behind its name, for the text that follows. */
  #replace(lines: Buffer): Buffer {
    const { cutPositions, cutLengths, cutCount, bytes, start } = this.#plain;
    const { starts, ends, count } = this.#hits;
    const most = lines.length + count * LONGEST_NAME;
    if (most > this.#output.length) {
      this.#output = Buffer.allocUnsafeSlow(Math.max(most, PIECE));
    }
    const output = this.#output;
    let written = 0;
    let copied = 0;
    let cut = 0;
    let shift = -start;
    for (let i = 0; i < count; i++) {
      const from = starts[i]!;
      const to = ends[i]!;
      while (cut < cutCount && cutPositions[cut]! <= from) {
        shift += cutLengths[cut++]!;
      }
      written += lines.copy(output, written, copied, from + shift);
      written += this.#names.name(this.#hits.kind(i), bytes, from, to).copy(output, written);
      while (cut < cutCount && cutPositions[cut]! < to) {
        const sequence = cutPositions[cut]! + shift;
        written += lines.copy(output, written, sequence, sequence + cutLengths[cut]!);
        shift += cutLengths[cut++]!;
      }
      copied = to + shift;
    }
    written += lines.copy(output, written, copied);
    return output.subarray(0, written);
  }
}

/** Behind the last line that still fits, or behind the first if that is longer. */
function endOfPiece(lines: Buffer, from: number): number {
  if (lines.length - from <= PIECE) {
    return lines.length;
  }
  const last = lines.lastIndexOf(LF, from + PIECE - 1);
  if (last >= from) {
    return last + 1;
  }
  const first = lines.indexOf(LF, from);
  return first < 0 ? lines.length : first + 1;
}
