import { type Logger, pino } from 'pino';

export type { Logger };

/** What must never be written, wherever it stands in a logged object. */
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

/** What is kept of lines that could not be written, bytes: a disk that is full for long must not fill the memory, too. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * A JSON-lines logger for daemon, gateway and jobs, on stderr unless a `file` is given. `name` says which process speaks. Lines that a
 * full disk has no room for are written when it has, or lost; no process ends for that.
 */
export function createLogger({ name, level, file }: { name: string; level: string; file?: string }): Logger {
  const destination = pino.destination({ dest: file ?? 2, sync: true, mode: 0o600, maxLength: MOST_WAITING_BYTES });
  // There is nobody left to tell.
  destination.on('error', () => undefined);
  return pino({ name, level, redact: { paths: SECRET_PATHS, censor: '[redacted]' } }, destination);
}
