import { isUtf8 } from 'node:buffer';

/**
 * A file's name as text that leads back to its bytes. On most systems a name need not be UTF-8: each byte beyond ASCII of one that is not
 * becomes a lone surrogate, U+DC80 to U+DCFF, which no text has (Python's PEP 383 does the same). JSON and threads carry those.
 */
export function nameOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1').replace(/[\x80-\xff]/g, escaped);
}

/** The way back, for calls of `node:fs`: the path itself where it is text. */
export function bytesOf(file: string): string | Buffer {
  if (file.isWellFormed()) return file;
  const pieces = file.split(/(\p{Surrogate}+)/u);
  return Buffer.concat(pieces.map((piece, index) => Buffer.from(piece, index % 2 === 0 ? 'utf8' : 'latin1')));
}

/** For people, and for what keeps text only: the bytes that are no text as in a URL, `caf%E9.txt`. */
export function shownName(file: string): string {
  return file.replace(/\p{Surrogate}/gu, (byte) => `%${(byte.charCodeAt(0) & 0xff).toString(16).toUpperCase()}`);
}

function escaped(byte: string): string {
  return String.fromCharCode(0xdc00 + byte.charCodeAt(0));
}
