import { Transform, type TransformCallback } from 'node:stream';
import type { Readability } from './readability.ts';
import { SecretMask } from './secret-mask.ts';

/** A line that is longer is masked in pieces. */
export const LONGEST_LINE = 64 * 1024;
/** Of such a piece, this much is looked at again with the next one: a secret and its key may be in two pieces. */
const OVERLAP = 4 * 1024;
const NEWLINE = 0x0a;

export interface MaskOptions {
  readability: Readability;
  /** Values that are hidden wherever they are. */
  secrets: readonly string[];
  /** The part to pass on, both ends included. What is around it decides what is hidden: write from `firstToMask` to LONGEST_LINE after it. */
  start: number;
  end: number;
}

/** Returns where to begin to read, so that a line that reaches into the part is seen from its beginning, or for longer than a secret. */
export function firstToMask(start: number): number {
  return Math.max(0, start - LONGEST_LINE);
}

/**
 * Returns a stream that replaces secrets by asterisks, as many as the secret has bytes, so that sizes and ranges stay as they are: in text those
 * that are named as such, too; in other files only those of the settings.
 */
export function maskLines({ readability, secrets, start, end }: MaskOptions): Transform {
  // One character is one byte: text is handled as latin1.
  const known = secrets.filter((secret) => secret.length > 3).flatMap(asWritten);
  const mask = new SecretMask(known);
  let rest: Buffer = Buffer.alloc(0);
  let position = firstToMask(start);

  function pass(stream: Transform, bytes: Buffer): void {
    const part = bytes.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position));
    position += bytes.length;
    if (part.length > 0) stream.push(part);
  }

  function masked(bytes: Buffer): Buffer {
    if (readability === 'hidden') return Buffer.from(bytes.map((byte) => (byte === NEWLINE ? NEWLINE : 0x2a)));
    const text = bytes.toString('latin1');
    return Buffer.from(readability === 'text' ? mask.mask(text) : hideKnown(text, known), 'latin1');
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const lastLine = bytes.lastIndexOf(NEWLINE) + 1;
      const isLong = bytes.length - lastLine > LONGEST_LINE;
      const clean = masked(isLong ? bytes : bytes.subarray(0, lastLine));
      const cut = isLong ? bytes.length - OVERLAP : lastLine;
      pass(this, clean.subarray(0, cut));
      rest = isLong ? clean.subarray(cut) : Buffer.from(bytes.subarray(cut));
      done();
    },
    flush(done) {
      if (rest.length > 0) pass(this, masked(rest));
      done();
    },
  });
}

function hideKnown(text: string, known: readonly string[]): string {
  return known.reduce((hidden, secret) => hidden.replaceAll(secret, '*'.repeat(secret.length)), text);
}

/** As it stands in plain text, JSON, and properties (java.util.Properties escapes `:` and what is not ASCII), as latin1. */
function asWritten(secret: string): string[] {
  const escaped = secret.replace(/[\\:=#!]/g, '\\$&');
  const code = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const ascii = escaped.replace(/[^\x20-\x7e]/g, code);
  const upper = escaped.replace(/[^\x20-\x7e]/g, (one) => `\\u${code(one).slice(2).toUpperCase()}`);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), escaped, ascii, upper];
  return [...new Set(forms)].map((form) => Buffer.from(form).toString('latin1'));
}
