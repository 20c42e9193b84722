import { errorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { machineShortage } from '../../../shared/errors/machine-shortage.ts';
import { shownName } from '../../../shared/node/files/file-name.ts';

/** Notes in a system error which entry of the server's folder it is about: its own path may be a descriptor's, or too long to read. */
export function withEntry(error: unknown, entry: string): unknown {
  return errorCode(error) === undefined ? error : Object.assign(error as Error, { entry });
}

/** Explains an error with an entry, as `invalid_state`. Returns any other error unchanged. `orElse` ends the resolution. */
export function unreadable(error: unknown, orElse = '.'): unknown {
  if (!(error instanceof Error && 'entry' in error) || machineShortage(error)) return error;
  const code = errorCode(error);
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const name = shownName(String(error.entry));
  return new GamekeeperError(
    'invalid_state',
    `"${name}" in the server's folder cannot be read${isForbidden ? '' : ` (${code})`}.`,
    { resolution: `${isForbidden ? 'Give Gamekeeper read access to it' : 'Check the disk'}${orElse}`, cause: error },
  );
}
