import type { FieldError } from '../domain/field-error.ts';
import { ERRORS, type ErrorCode, isErrorCode } from './catalogue.ts';
import { machineShortage } from './machine-shortage.ts';

/** The other instance that is involved in an error. Not every caller may see it. */
export interface OtherInstance {
  id: string;
  /** Texts that name the instance, for callers who may see it. */
  detail: string;
  resolution: string;
}

export interface GamekeeperErrorOptions {
  resolution?: string;
  retryAfterSeconds?: number;
  /** The missing scope, for `WWW-Authenticate`. Does not cross processes. */
  scope?: string;
  otherInstance?: OtherInstance | undefined;
  /** The fields that an `invalid_request` is about, as far as they are known. */
  errors?: readonly FieldError[] | undefined;
  cause?: unknown;
}

/** An error for users and programs: a code, and a sentence that says what happened to what. */
export class GamekeeperError extends Error {
  readonly code: ErrorCode;
  readonly resolution: string;
  readonly retryAfterSeconds: number | undefined;
  readonly scope: string | undefined;
  readonly otherInstance: OtherInstance | undefined;
  readonly errors: readonly FieldError[];

  constructor(code: ErrorCode, detail: string, options: GamekeeperErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GamekeeperError';
    this.code = code;
    this.resolution = options.resolution ?? ERRORS[code].resolution;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.scope = options.scope;
    this.otherInstance = options.otherInstance;
    this.errors = options.errors ?? [];
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Returns true for a GamekeeperError with one of the codes. */
export function isGamekeeperError(error: unknown, ...codes: readonly ErrorCode[]): error is GamekeeperError {
  return error instanceof GamekeeperError && codes.includes(error.code);
}

export interface CodedFailure {
  code: ErrorCode;
  detail: string;
  resolution: string;
  retryAfterSeconds?: number;
  otherInstance?: OtherInstance;
  errors?: readonly FieldError[];
}

/**
 * Prepares an error for another process. Shortages of the machine are explained; any other error that is not a GamekeeperError becomes
 * `internal_error` without its message, which may hold a path or a secret.
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
    ...(error.errors.length > 0 && { errors: error.errors }),
  };
}

/** Restores an error from another process. An unknown code becomes `internal_error`. */
export function fromCodedFailure(failure: CodedFailure): GamekeeperError {
  const code = isErrorCode(failure.code) ? failure.code : 'internal_error';
  return new GamekeeperError(code, failure.detail, {
    resolution: failure.resolution,
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: failure.retryAfterSeconds }),
    otherInstance: failure.otherInstance,
    errors: failure.errors,
  });
}
