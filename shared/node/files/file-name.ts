import { isUtf8 } from 'node:buffer';

const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Returns a file name as text that can be turned back into its bytes. On most systems a name need not be UTF-8: then each byte beyond ASCII
 * becomes a lone surrogate, U+DC80 to U+DCFF, as in Python's PEP 383. JSON and worker threads preserve those.
 */
export function nameOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1').replace(/[\x80-\xff]/g, escaped);
}

/** Returns such a name for one that was read as Latin-1, a byte for each character: faster for many names, of which most are ASCII. */
export function nameOfLatin1(name: string): string {
  return BEYOND_ASCII.test(name) ? nameOf(Buffer.from(name, 'latin1')) : name;
}

/** Surrogates that `nameOf` never makes. Their lower byte may be that of a slash or a dot. */
const NOT_A_BYTE = /(?![\udc80-\udcff])\p{Surrogate}/u;

/**
 * Converts such a name, or a path of such names, back for calls of `node:fs`. Throws EILSEQ for surrogates that stand for no byte beyond ASCII: U+DC2F
 * must not become a slash.
 */
export function bytesOf(file: string): string | Buffer {
  if (file.isWellFormed()) return file;
  if (NOT_A_BYTE.test(file)) throw Object.assign(new Error('The name is not valid Unicode'), { code: 'EILSEQ' });
  const pieces = file.split(/(\p{Surrogate}+)/u);
  return Buffer.concat(pieces.map((piece, index) => Buffer.from(piece, index % 2 === 0 ? 'utf8' : 'latin1')));
}

/**
 * Returns such a name for display: bytes that are not text are percent-encoded (`caf%E9.txt`), and so are control characters, line ends, and
 * invisible ones that would change how the rest is shown.
 */
export function shownName(file: string): string {
  return file.replace(/[\p{Surrogate}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => {
    if (NOT_A_BYTE.test(one)) return '\ufffd';
    const bytes = bytesOf(one);
    const hex = (typeof bytes === 'string' ? Buffer.from(bytes) : bytes).toString('hex').toUpperCase();
    return hex.replace(/../g, '%$&');
  });
}

function escaped(byte: string): string {
  return String.fromCharCode(0xdc00 + byte.charCodeAt(0));
}
