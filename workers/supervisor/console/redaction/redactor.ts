import { PatternBudget } from '../../../../shared/node/primitives/pattern-budget.ts';
import { LONGEST_NAME } from './kinds.ts';
import { OwnerFilter, type OwnerRules } from './owner-rules.ts';
import { Pseudonyms } from './pseudonyms/pseudonyms.ts';
import { PrivateKeys } from './rules/private-keys.ts';
import { Hits } from './scan/hits.ts';
import { PlainText, withoutBegunColour } from './scan/plain-text.ts';
import { RuleScanner } from './scan/rule-scanner.ts';
import { settledEnd } from './scan/settled-end.ts';

const LF = 0x0a;
const LINE_END = Buffer.from('\r\n');

/** Bytes scanned at a time, so that the plain copy stays in the processor's cache. A longer line is scanned whole. */
const PIECE = 64 * 1024;

export interface RedactorOptions {
  /** The instance's own key for pseudonyms, at least 16 random bytes. It must never leave the instance. */
  readonly key: Uint8Array;
  /** Known secrets, which are hidden wherever they appear. */
  readonly secrets?: readonly string[];
  /** From the settings. */
  readonly owner?: OwnerRules;
}

/**
 * Replaces secrets and personal data in console text. Lines are independent of each other except inside private keys, which span lines:
 * give all lines of a stream to one redactor, in order.
 */
export class Redactor {
  #scanner: RuleScanner;
  #owner: OwnerFilter;
  readonly #budget = new PatternBudget();
  readonly #names: Pseudonyms;
  readonly #keys = new PrivateKeys();
  readonly #plain = new PlainText(PIECE);
  readonly #hits = new Hits();
  #redactions = 0;
  /** Reused by each piece: otherwise a flood would allocate as fast as it prints. */
  #output = Buffer.alloc(0);

  constructor(options: RedactorOptions) {
    this.#scanner = new RuleScanner(options.secrets ?? []);
    this.#owner = new OwnerFilter(options.owner ?? {}, this.#budget);
    this.#names = new Pseudonyms(options.key);
  }

  /** Number of replacements in the stream so far. */
  get redactions(): number {
    return this.#redactions;
  }

  /** Hides these secrets from now on instead of the former ones. A private key that has begun stays hidden. */
  hideSecrets(secrets: readonly string[]): void {
    this.#scanner = new RuleScanner(secrets);
  }

  /** Replaces the owner's rules. */
  setOwner(owner: OwnerRules): void {
    this.#owner = new OwnerFilter(owner, this.#budget);
  }

  /**
   * Redacts whole lines, each ending in LF or CR LF. Returns the same buffer if there is nothing to hide, otherwise one that is valid until
   * the next call.
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

  /** Redacts one line without its end, with the same result as `redact`. */
  redactLine(line: Buffer): Buffer {
    const redacted = this.#redactPiece(Buffer.concat([line, LINE_END]));
    return Buffer.from(redacted.subarray(0, redacted.length - LINE_END.length));
  }

  /** Redacts text that is not part of the stream, such as an RCON answer, of any number of lines. */
  redactText(text: string): string {
    const redacted = this.#redactPiece(Buffer.from(`${text}\n`), new PrivateKeys());
    return redacted.toString('utf8', 0, redacted.length - 1);
  }

  /**
   * Returns the part of an unfinished line with which the redacted line will begin, whatever follows. Empty if the owner has patterns, as
   * those may match anything.
   */
  settled(unfinished: Buffer): Buffer {
    if (this.#owner.hasPatterns || this.#keys.inside) {
      return Buffer.alloc(0);
    }
    const begun = withoutBegunColour(unfinished);
    const plain = this.#plain;
    const hits = this.#hits;
    plain.load(Buffer.concat([begun, LINE_END]));
    hits.clear();
    const to = plain.end - LINE_END.length;
    this.#scanner.find(plain, hits, new PrivateKeys());
    const end = settledEnd(plain, to, hits, this.#scanner.literalBegunAtEnd(plain, to));
    this.#owner.apply(plain, hits);
    // Hits of the whole line rather than of its beginning, which alone might look like something else.
    hits.filter((_, hitEnd) => hitEnd <= end);
    return Buffer.from(this.#replace(begun.subarray(0, plain.colouredIndex(end))));
  }

  #redactPiece(lines: Buffer, keys = this.#keys): Buffer {
    const plain = this.#plain;
    const hits = this.#hits;
    plain.load(lines);
    hits.clear();
    this.#scanner.find(plain, hits, keys);
    this.#owner.apply(plain, hits);
    return hits.count === 0 ? lines : this.#replace(lines);
  }

  /** Replaces the hits. Colours inside a hit move behind its replacement, because they apply to the text that follows. */
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

/** Returns the index after the last line that fits in a piece, or after the first line if that is longer. */
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
