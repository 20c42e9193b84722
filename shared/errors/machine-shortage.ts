import type { ErrorCode } from './catalogue.ts';
import { isDiskFull } from './disk-full.ts';
import { hasErrorCode } from './error-code.ts';

/** Explains an error that means that the disk is full or no file can be opened; `undefined` for other errors. */
export function machineShortage(error: unknown): { code: ErrorCode; detail: string; resolution: string } | undefined {
  if (isDiskFull(error))
    return {
      code: 'insufficient_storage',
      detail: 'The disk that holds the data directory is full.',
      resolution: 'Free some space on it, for example by deleting old backups.',
    };
  if (hasErrorCode(error, 'EMFILE', 'ENFILE'))
    return {
      code: 'worker_unavailable',
      detail: 'Too many files are open.',
      resolution:
        'Try again in a moment. If it keeps failing, raise the limit of open files (ulimit -n, or LimitNOFILE of a service).',
    };
  return undefined;
}
