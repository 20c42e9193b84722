import { ERRORS, type ErrorCode, isErrorCode } from './catalogue.ts';
import { machineShortage } from './machine-shortage.ts';

/** What there is to tell of a failure where another instance has to do with it, which is not everybody's to see. */
export interface OtherInstance {
  id: string;
  /** These name the instance, and stand in place of what everybody is told. */
  detail: string;
  resolution: string;
}

export interface GamekeeperErrorOptions {
  /** Replaces the code's default hint. */
  resolution?: string;
  /** Seconds after which a repeat makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** The scope that the credential lacks; becomes part of `WWW-Authenticate`. Stays in this process. */
  scope?: string;
  otherInstance?: OtherInstance | undefined;
  cause?: unknown;
}

/** A failure that a user or program is told about: a code of the catalogue and one sentence of what happened to what. */
export class GamekeeperError extends Error {
  readonly code: ErrorCode;
  readonly resolution: string;
  readonly retryAfterSeconds: number | undefined;
  readonly scope: string | undefined;
  readonly otherInstance: OtherInstance | undefined;

  constructor(code: ErrorCode, detail: string, options: GamekeeperErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GamekeeperError';
    this.code = code;
    this.resolution = options.resolution ?? ERRORS[code].resolution;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.scope = options.scope;
    this.otherInstance = options.otherInstance;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** A GamekeeperError as it crosses a process boundary. */
export interface CodedFailure {
  code: ErrorCode;
  detail: string;
  resolution: string;
  retryAfterSeconds?: number;
  otherInstance?: OtherInstance;
}

/**
 * For sending: what the machine lacks is said, and anything else that is not ours becomes `internal_error` without its message,
 * which might hold a path or a secret.
 */
export function toCodedFailure(error: unknown): CodedFailure {
  if (!(error instanceof GamekeeperError)) {
    const shortage = machineShortage(error);
    if (shortage) return shortage;
    return {
      code: 'internal_error',
      detail: 'An internal error occurred.',
      resolution: ERRORS.internal_error.resolution,
    };
  }
  return {
    code: error.code,
    detail: error.message,
    resolution: error.resolution,
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.otherInstance && { otherInstance: error.otherInstance }),
  };
}

/** For receiving: the error to throw on this side. A code that this version does not know becomes `internal_error`. */
export function fromCodedFailure(failure: CodedFailure): GamekeeperError {
  const code = isErrorCode(failure.code) ? failure.code : 'internal_error';
  return new GamekeeperError(code, failure.detail, {
    resolution: failure.resolution,
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: failure.retryAfterSeconds }),
    otherInstance: failure.otherInstance,
  });
}
