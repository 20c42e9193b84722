import { Transform, type TransformCallback } from 'node:stream';

/** A line that is longer is masked in pieces. */
export const LONGEST_LINE = 64 * 1024;
/** Of such a piece, this much is looked at again with the next one: a secret and its key may be in two pieces. */
const OVERLAP = 4 * 1024;
/** A file with a NUL near its beginning is not text. */
const LOOKED_AT = 8 * 1024;
const NEWLINE = 0x0a;
/** The end of a key that is named like a secret, and its value, as in properties, YAML, TOML and JSON. */
const ASSIGNMENT =
  /((?:password|passwd|passphrase|passcode|pwd|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key|webhook)[\w.-]{0,32}["']?[\t ]{0,64}[:=][\t ]{0,64})("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'][^\r\n]*)/gi;
/** `scheme://user:password@host` */
const URL_PASSWORD = /(:\/\/[^\s/:@"']{0,256}:)([^\s/@"']{1,256})(?=@)/g;

export interface MaskOptions {
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
 * Returns a stream that replaces secrets in a text file by asterisks, as many as the secret has bytes, so that sizes and ranges stay as they
 * are. Other files pass unchanged.
 */
export function maskLines({ secrets, start, end }: MaskOptions): Transform {
  // One character is one byte: text is handled as latin1.
  const known = secrets.filter((secret) => secret.length > 3).map((secret) => Buffer.from(secret).toString('latin1'));
  let isText: boolean | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let position = firstToMask(start);

  function pass(stream: Transform, bytes: Buffer): void {
    const part = bytes.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position));
    position += bytes.length;
    if (part.length > 0) stream.push(part);
  }

  function masked(bytes: Buffer): Buffer {
    let text = bytes.toString('latin1');
    for (const secret of known) text = text.replaceAll(secret, '*'.repeat(secret.length));
    text = text.replace(ASSIGNMENT, (_all, key: string, value: string) => key + starred(value));
    text = text.replace(URL_PASSWORD, (_all, before: string, value: string) => before + '*'.repeat(value.length));
    return Buffer.from(text, 'latin1');
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      isText ??= !chunk.subarray(0, LOOKED_AT).includes(0);
      if (!isText) {
        pass(this, chunk);
        done();
        return;
      }
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

/** Quotes stay, so that the file still looks like one of its format. */
function starred(value: string): string {
  const quote = /^(["']).*\1$/s.exec(value)?.[1];
  return quote ? `${quote}${'*'.repeat(value.length - 2)}${quote}` : '*'.repeat(value.length);
}
