/**
 * Why the management protocol brought no result: `unavailable` (nothing was sent), `refused` (the server does not know the method or its
 * parameters, or answered what we do not understand) or `no-answer` (sent, and lost or not answered in time: it may have been carried out).
 */
export type ManagementFailure = 'unavailable' | 'refused' | 'no-answer';

/** A call over the management protocol without a result. */
export class ManagementError extends Error {
  override name = 'ManagementError';
  readonly reason: ManagementFailure;

  constructor(reason: ManagementFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
