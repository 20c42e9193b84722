import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type LogLevel = 'INFO' | 'WARN' | 'ERROR';

/** The server's console output, in vanilla's line format `[HH:MM:SS] [thread/LEVEL]: message`. */
export interface ConsoleLog {
  info(message: string, thread?: string): void;
  warn(message: string, thread?: string): void;
  error(message: string, thread?: string): void;
  /** Prints a line without a prefix, as in a stack trace. */
  raw(line: string): void;
}

export interface ConsoleLogOptions {
  readonly write: (text: string) => void;
  /** Whether to colour warnings and errors, as Paper does on a terminal. */
  readonly coloured: boolean;
  readonly now: () => Date;
}

export function createConsoleLog({ write, coloured, now }: ConsoleLogOptions): ConsoleLog {
  const print = (level: LogLevel, message: string, thread = 'Server thread'): void => {
    const line = `[${clockTime(now())}] [${thread}/${level}]: ${message}`;
    write(coloured ? `${COLOURS[level]}${line}${level === 'INFO' ? '' : RESET}\n` : `${line}\n`);
  };
  return {
    info: (message, thread) => print('INFO', message, thread),
    warn: (message, thread) => print('WARN', message, thread),
    error: (message, thread) => print('ERROR', message, thread),
    raw: (line) => write(`${line}\n`),
  };
}

/** Returns the local time as `HH:MM:SS`. */
function clockTime(date: Date): string {
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const COLOURS: Record<LogLevel, string> = { INFO: '', WARN: '\x1b[33;1m', ERROR: '\x1b[31;1m' };
const RESET = '\x1b[m';

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
