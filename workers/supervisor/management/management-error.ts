/**
 * Why a call has no result:
 * - `unavailable`: nothing was sent
 * - `refused`: the server rejected the method or its parameters, or its result makes no sense
 * - `no-answer`: sent, but lost or not answered in time; it may have been carried out
 */
export type ManagementFailure = 'unavailable' | 'refused' | 'no-answer';

/** A call of the management protocol has no result. */
export class ManagementError extends Error {
  override name = 'ManagementError';
  readonly reason: ManagementFailure;

  constructor(reason: ManagementFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
