import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clockTime } from './console-log.ts';

/**
 * Prints `lines` numbered, coloured lines of 100 bytes as fast as `output` takes them, then one line with their number. Other work runs
 * between batches.
 */
export async function flood(output: Writable, { lines, now }: { lines: number; now: Date }): Promise<void> {
  const head = `\x1b[32m[${clockTime(now)}] [Flood/INFO]: line `;
  const tail = ' the quick brown fox jumps over the lazy dog'.padEnd(100 - head.length - NUMBER_DIGITS - 5, '.');
  for (let done = 0; done < lines; ) {
    const end = Math.min(lines, done + BATCH_LINES);
    let batch = '';
    for (; done < end; done += 1) batch += `${head}${String(done + 1).padStart(NUMBER_DIGITS, '0')}${tail}\x1b[0m\n`;
    if (!output.write(batch)) await once(output, 'drain');
    await nextTurn();
  }
  output.write(`[${clockTime(now)}] [Flood/INFO]: Flooded the console with ${lines} lines\n`);
}

/** About 50 KB per write. */
const BATCH_LINES = 512;
const NUMBER_DIGITS = 9;
