/**
 * Why a server list ping brought nothing: `refused` (no connection), `timeout`, `closed` (hung up; vanilla does so
 * while it starts, and with `enable-status=false`), `malformed` (not Minecraft, or a hostile answer).
 */
export type ListPingFailure = 'refused' | 'timeout' | 'closed' | 'malformed';

/** A server list ping without a usable answer. */
export class ListPingError extends Error {
  override name = 'ListPingError';
  readonly reason: ListPingFailure;

  constructor(reason: ListPingFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
