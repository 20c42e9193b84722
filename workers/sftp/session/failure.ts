import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { STATUS, type Status } from '../protocol/constants.ts';
import { MalformedPacket } from '../protocol/fields.ts';

/** A request that is answered with a status other than `ok`. */
export class SftpFailure extends Error {
  override readonly name = 'SftpFailure';
  readonly status: Status;

  constructor(status: Status, message: string) {
    super(message);
    this.status = status;
  }
}

export function noSuchFile(): SftpFailure {
  return new SftpFailure(STATUS.noSuchFile, 'No such file');
}

export function permissionDenied(message = 'Permission denied'): SftpFailure {
  return new SftpFailure(STATUS.permissionDenied, message);
}

export function badHandle(): SftpFailure {
  return new SftpFailure(STATUS.failure, 'No such handle');
}

/** Returns what the client is told. `undefined`: an error that nobody has foreseen. */
export function statusOf(error: unknown): { status: Status; message: string } | undefined {
  if (error instanceof SftpFailure) return { status: error.status, message: error.message };
  if (error instanceof MalformedPacket) return { status: STATUS.badMessage, message: 'Bad message' };
  if (isGamekeeperError(error, 'internal_error')) return undefined;
  if (isGamekeeperError(error, 'file_not_found', 'instance_not_found')) return noSuchFile();
  if (isGamekeeperError(error, 'invalid_path', 'insufficient_scope'))
    return { status: STATUS.permissionDenied, message: error.message };
  return error instanceof GamekeeperError ? { status: STATUS.failure, message: error.message } : undefined;
}
