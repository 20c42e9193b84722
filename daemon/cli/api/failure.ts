import { ERRORS, isErrorCode } from '../../../shared/errors/catalogue.ts';
import type { ErrorResponse } from '../../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { printable } from '../terminal/printable.ts';

/** Why a command failed, for stderr, which may be a terminal. Exit status 1 by default. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: number;
  /** The error code of the API, for its refusals. */
  readonly code: string | undefined;

  constructor(message: string, options: { cause?: unknown; exitCode?: number; code?: string | undefined } = {}) {
    super(printable(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failure;
    this.code = options.code;
  }
}

/** No daemon serves this data directory. */
export function notRunning(cause?: unknown): Failure {
  return new Failure('Gamekeeper is not running. Start it with: npx gamekeeper up', { cause });
}

/** A refusal of the API, with its own title, detail and resolution. */
export function refused({
  title,
  detail,
  resolution,
  code,
}: Pick<ErrorResponse, 'title' | 'detail' | 'resolution'> & { code?: string }): Failure {
  return new Failure(`${title}: ${detail}${resolution ? `\n${resolution}` : ''}`, { code });
}

/** A failure known only by its code and detail. */
export function failedWith({ code, detail }: { code: string; detail: string }): Failure {
  return refused(isErrorCode(code) ? { ...ERRORS[code], detail } : { title: code, detail });
}

/** Returns any error as a Failure. Unexpected errors are bugs and keep their stack. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof GamekeeperError)
    return refused({ title: ERRORS[error.code].title, detail: error.message, resolution: error.resolution });
  return new Failure(error instanceof Error ? (error.stack ?? error.message) : String(error), { cause: error });
}
