import { closeSync, openSync, renameSync, statSync } from 'node:fs';

/** A larger log is renamed to `.old` when it is next opened. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Renames a log that is too large, replacing the one that was renamed before. */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, `${file}.old`);
}

/** Opens a log for a new process, passes the descriptor to `use`, and closes it. */
export function withLog<T>(file: string, use: (descriptor: number) => T): T {
  rotateLog(file);
  const descriptor = openSync(file, 'a', 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
