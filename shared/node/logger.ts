import { type Logger, pino } from 'pino';

export type { Logger };

/** Members of logged objects that are redacted. */
const SECRET_PATHS = [
  'password',
  'token',
  'authorization',
  'cookie',
  '*.password',
  '*.token',
  'req.headers.authorization',
  'req.headers.cookie',
];

/** What JSON leaves as it is, but a terminal that shows the log would obey: C1 controls, and what hides or reorders text. */
const NOT_PRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** How much is buffered in memory while the disk is full, bytes. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * Returns a logger that writes JSON lines to `file`, or stderr. `name` is the process. While the disk is full, lines wait in memory or are lost;
 * the process continues.
 */
export function createLogger({ name, level, file }: { name: string; level: string; file?: string }): Logger {
  const destination = pino.destination({ dest: file ?? 2, sync: true, mode: 0o600, maxLength: MOST_WAITING_BYTES });
  destination.on('error', () => undefined);
  const hooks = { streamWrite: printable };
  return pino({ name, level, hooks, redact: { paths: SECRET_PATHS, censor: '[redacted]' } }, destination);
}

/** Escapes in a line of JSON what must not reach a terminal. */
function printable(line: string): string {
  return line.replace(NOT_PRINTABLE, (found) => found.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
