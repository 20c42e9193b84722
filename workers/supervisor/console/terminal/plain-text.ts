import stripAnsi from 'strip-ansi';
import { cleanedLine } from './line-splitter.ts';

/**
 * Returns text that is not part of the stream, such as an RCON answer, as the console would show it, without colours: the only control
 * characters are tabs and the LF between lines. An ordinary line is not cut, however long it is.
 */
export function plainText(text: string): string {
  return text
    .split('\n')
    .map((line) => stripAnsi(cleanedLine(Buffer.from(withoutReturns(line))).toString()))
    .join('\n');
}

/** Returns a line without the CRs at its end. Not by a pattern, which would take minutes for many CRs elsewhere. */
export function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(0, end);
}
