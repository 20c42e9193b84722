import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';

export interface StoreErrorOptions {
  /** What to do, if the default resolution is too general. */
  resolution?: string;
  cause?: unknown;
}

/**
 * The store cannot be reached or is in an unexpected state, so a retry makes sense. `what` completes the sentence that begins with the
 * store's name.
 */
export function unavailable(store: string, what: string, options: StoreErrorOptions = {}): GamekeeperError {
  return new GamekeeperError('store_unavailable', sentence(store, what), options);
}

/** A user must fix something first: credentials, permissions, host key, a missing bucket or folder. */
export function refused(store: string, what: string, options: StoreErrorOptions = {}): GamekeeperError {
  return new GamekeeperError('store_refused', sentence(store, what), options);
}

export function full(store: string, what = 'is full.', cause?: unknown): GamekeeperError {
  return new GamekeeperError('insufficient_storage', sentence(store, what), {
    resolution: 'Free disk space there, or let backups.retention in the settings delete old backups sooner.',
    cause,
  });
}

/** An uploaded object differs from what was sent. */
export function notKept(store: string): GamekeeperError {
  return unavailable(store, 'did not store the copy correctly: it returned different bytes.');
}

export function missing(store: string, key: string): GamekeeperError {
  return new GamekeeperError('backup_damaged', sentence(store, `no longer has ${key}.`));
}

/** Returns the code of a failed system call, such as ECONNREFUSED, or ''. Looks through wrapped errors. */
export function systemCode(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if ('code' in cause && typeof cause.code === 'string' && /^E[A-Z0-9_]+$|^ERR_TLS|^CERT_|_CERT/.test(cause.code))
      return cause.code;
    // Several addresses of one host were tried.
    if (cause instanceof AggregateError && cause.errors.length > 0) return systemCode(cause.errors[0]);
  }
  return '';
}

/** Explains a failed connection; returns undefined if the error is not about the connection. */
export function connectionTrouble(error: unknown): string | undefined {
  const code = systemCode(error);
  if (/CERT|TLS|SELF_SIGNED|ISSUER/.test(code))
    return `shows a certificate that this machine does not trust (${code}).`;
  return TROUBLES[code];
}

const TROUBLES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not respond: nothing listens at its address (ECONNREFUSED).',
  ECONNRESET: 'closed the connection (ECONNRESET).',
  EPIPE: 'closed the connection (EPIPE).',
  ECONNABORTED: 'closed the connection (ECONNABORTED).',
  ENOTFOUND: 'has an unknown host name (ENOTFOUND).',
  EAI_AGAIN: 'could not be looked up: the name server does not respond (EAI_AGAIN).',
  ETIMEDOUT: 'does not respond (ETIMEDOUT).',
  EHOSTUNREACH: 'cannot be reached from this machine (EHOSTUNREACH).',
  ENETUNREACH: 'cannot be reached from this machine (ENETUNREACH).',
};

function sentence(store: string, what: string): string {
  return `The store "${store}" ${what}`;
}
