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

/** How much is buffered in memory while the disk is full, bytes. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * Returns a logger that writes JSON lines to `file`, or stderr. `name` is the process. While the disk is full, lines wait in memory or are lost;
 * the process continues.
 */
export function createLogger({ name, level, file }: { name: string; level: string; file?: string }): Logger {
  const destination = pino.destination({ dest: file ?? 2, sync: true, mode: 0o600, maxLength: MOST_WAITING_BYTES });
  destination.on('error', () => undefined);
  return pino({ name, level, redact: { paths: SECRET_PATHS, censor: '[redacted]' } }, destination);
}
