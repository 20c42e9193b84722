import { encodeBatches } from '../../../shared/contract/console-batch.ts';

/** Returns an encoded batch of console lines. */
export function encodeBatch(firstSeq: number, lines: readonly string[]): Uint8Array {
  const text = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
  return encodeBatches([{ firstSeq, count: lines.length, at: Date.UTC(2026, 10, 20), skipped: 0, text }]);
}
