import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';

export interface StoreErrorOptions {
  /** What to do, where the code's own hint is too general. */
  resolution?: string;
  cause?: unknown;
}

/** Not there, cut off, or not what it should be: trying again makes sense. `what` completes the sentence after the store's name. */
export function unavailable(store: string, what: string, options: StoreErrorOptions = {}): GamekeeperError {
  return new GamekeeperError('store_unavailable', sentence(store, what), options);
}

/** Somebody has to do something first: credentials, rights, host key, a missing bucket or folder. */
export function refused(store: string, what: string, options: StoreErrorOptions = {}): GamekeeperError {
  return new GamekeeperError('store_refused', sentence(store, what), options);
}

export function full(store: string, what = 'is full.', cause?: unknown): GamekeeperError {
  return new GamekeeperError('insufficient_storage', sentence(store, what), {
    resolution: 'Free space there, or let backups.retention of the settings delete old backups sooner.',
    cause,
  });
}

/** An object that was uploaded is not what was sent. */
export function notKept(store: string): GamekeeperError {
  return unavailable(store, 'did not keep what it was sent: what was read back differs.');
}

export function missing(store: string, key: string): GamekeeperError {
  return new GamekeeperError('backup_damaged', sentence(store, `has no ${key} (any more).`));
}

/** The code of a failed system call, such as ECONNREFUSED; '' for other errors. Looks through wrappers. */
export function systemCode(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if ('code' in cause && typeof cause.code === 'string' && /^E[A-Z0-9_]+$|^ERR_TLS|^CERT_|_CERT/.test(cause.code))
      return cause.code;
    // Several addresses of one host were tried.
    if (cause instanceof AggregateError && cause.errors.length > 0) return systemCode(cause.errors[0]);
  }
  return '';
}

/** What a failed connection means, in words; undefined when it is not about the connection. */
export function connectionTrouble(error: unknown): string | undefined {
  const code = systemCode(error);
  if (/CERT|TLS|SELF_SIGNED|ISSUER/.test(code))
    return `shows a certificate that this machine does not trust (${code}).`;
  return TROUBLES[code];
}

const TROUBLES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not answer: nothing listens there (ECONNREFUSED).',
  ECONNRESET: 'broke off the connection (ECONNRESET).',
  EPIPE: 'broke off the connection (EPIPE).',
  ECONNABORTED: 'broke off the connection (ECONNABORTED).',
  ENOTFOUND: 'is not known by that host name (ENOTFOUND).',
  EAI_AGAIN: 'cannot be looked up: the name service does not answer (EAI_AGAIN).',
  ETIMEDOUT: 'does not answer (ETIMEDOUT).',
  EHOSTUNREACH: 'cannot be reached from this machine (EHOSTUNREACH).',
  ENETUNREACH: 'cannot be reached from this machine (ENETUNREACH).',
};

function sentence(store: string, what: string): string {
  return `The store "${store}" ${what}`;
}
