import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** In characters. A longer line is dropped, to limit the memory. */
const LONGEST_LINE = 64 * 1024;

/** Calls `onLine` for every line, without its line end. Ignores the end of the input: a server without its terminal keeps running. */
export function readConsoleLines(input: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let unfinished = '';
  input.on('data', (bytes: Buffer) => {
    const lines = (unfinished + decoder.write(bytes)).split(/\r?\n/);
    unfinished = lines.pop() ?? '';
    if (unfinished.length > LONGEST_LINE) unfinished = '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
  });
  // A closed terminal causes an error (EIO), which is no reason to stop either.
  input.on('error', () => {});
}
