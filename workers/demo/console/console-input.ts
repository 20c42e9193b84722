import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A longer line is dropped: nothing that a person types, and memory must stay bounded. */
const LONGEST_LINE = 64 * 1024;

/**
 * Calls `onLine` for every line that arrives, without its line end. Nothing happens at the end of the input: a server
 * whose terminal went away plays on.
 */
export function readConsoleLines(input: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let unfinished = '';
  input.on('data', (bytes: Buffer) => {
    const lines = (unfinished + decoder.write(bytes)).split(/\r?\n/);
    unfinished = lines.pop() ?? '';
    if (unfinished.length > LONGEST_LINE) unfinished = '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
  });
  // A terminal that hangs up reads as an error (EIO); like the end of input, it is no reason to stop.
  input.on('error', () => {});
}
