import { writeSync } from 'node:fs';

const STDERR = 2;
/** Pino's numbers, so that all our logs look alike. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const;
export type Level = keyof typeof LEVELS;

/** JSON lines in pino's format, without pino, which would cost each supervisor megabytes. */
export type Log = (level: Level, message: string, details?: Record<string, unknown>) => void;

/** Creates a log that writes to stderr, which the daemon redirects to a file. */
export function createLog(instance: string): Log {
  return (level, message, details = {}) => {
    const line = {
      level: LEVELS[level],
      time: Date.now(),
      pid: process.pid,
      name: 'supervisor',
      instance,
      ...details,
      msg: message,
    };
    try {
      writeSync(STDERR, `${JSON.stringify(line, errorsAsObjects)}\n`);
    } catch {
      // A full disk or a closed terminal must not end a game.
    }
  };
}

function errorsAsObjects(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    type: value.name,
    message: value.message,
    stack: value.stack,
    ...(value.cause !== undefined && { cause: value.cause }),
  };
}
