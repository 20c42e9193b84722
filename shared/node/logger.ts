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

/** A JSON-lines logger for daemon, gateway and jobs, on stderr unless a `file` is given. `name` says which process speaks. */
export function createLogger({ name, level, file }: { name: string; level: string; file?: string }): Logger {
  return pino(
    { name, level, redact: { paths: SECRET_PATHS, censor: '[redacted]' } },
    pino.destination({ dest: file ?? 2, sync: true, mode: 0o600 }),
  );
}
