import { closeSync, openSync, renameSync, statSync } from 'node:fs';

/** Beyond this a log is set aside when it is next opened, in place of the one that was set aside before. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Keeps a log of ours from growing for ever: at most this one and an older one. */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, `${file}.old`);
}

/** Opens a log for a process that is to be started, hands the descriptor to `use`, and closes our copy of it. */
export function withLog<T>(file: string, use: (descriptor: number) => T): T {
  rotateLog(file);
  const descriptor = openSync(file, 'a', 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
