/** How the text of a file is written in bytes. */
export interface TextFormat {
  encoding: 'UTF-8' | 'UTF-8 BOM' | 'Latin-1';
  lineEnding: 'LF' | 'CRLF';
}

const BOM = '\ufeff';

/** Returns the text of a file with `\n` as line ending; `undefined` if it is no text. */
export function decodeText(bytes: Uint8Array): { text: string; format: TextFormat } | undefined {
  if (bytes.subarray(0, 8_192).includes(0)) return undefined;
  const { text, encoding } = decoded(bytes);
  const crlf = text.split('\r\n').length - 1;
  const lineEnding = crlf > 0 && crlf === text.split('\n').length - 1 ? 'CRLF' : 'LF';
  return { text: lineEnding === 'CRLF' ? text.replaceAll('\r\n', '\n') : text, format: { encoding, lineEnding } };
}

function decoded(bytes: Uint8Array): { text: string; encoding: TextFormat['encoding'] } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(BOM) ? { text: text.slice(1), encoding: 'UTF-8 BOM' } : { text, encoding: 'UTF-8' };
  } catch {
    // Each byte is one character: nothing is lost, whatever the encoding really is.
    return { text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''), encoding: 'Latin-1' };
  }
}

/** Returns the bytes of a text. One that does not fit Latin-1 becomes UTF-8. */
export function encodeText(text: string, { encoding, lineEnding }: TextFormat): Uint8Array<ArrayBuffer> {
  const lines = lineEnding === 'CRLF' ? text.replaceAll('\n', '\r\n') : text;
  if (encoding === 'Latin-1' && fitsLatin1(lines)) return Uint8Array.from(lines, (char) => char.charCodeAt(0));
  return new TextEncoder().encode(encoding === 'UTF-8 BOM' ? BOM + lines : lines);
}

export function fitsLatin1(text: string): boolean {
  return !/[^\0-\xff]/.test(text);
}
