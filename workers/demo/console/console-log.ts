export type LogLevel = 'INFO' | 'WARN' | 'ERROR';

/** The server's console output, in vanilla's line format `[HH:MM:SS] [thread/LEVEL]: message`. */
export interface ConsoleLog {
  info(message: string, thread?: string): void;
  warn(message: string, thread?: string): void;
  error(message: string, thread?: string): void;
  /** A line without a prefix, as the lines of a stack trace are. */
  raw(line: string): void;
}

/** Where the lines go, whether warnings and errors are coloured (as Paper does on a terminal), and the clock. */
export interface ConsoleLogSetting {
  readonly write: (text: string) => void;
  readonly coloured: boolean;
  readonly now: () => Date;
}

export function createConsoleLog({ write, coloured, now }: ConsoleLogSetting): ConsoleLog {
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

/** Local time as `HH:MM:SS`. */
export function clockTime(date: Date): string {
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const COLOURS: Record<LogLevel, string> = { INFO: '', WARN: '\x1b[33;1m', ERROR: '\x1b[31;1m' };
const RESET = '\x1b[m';
