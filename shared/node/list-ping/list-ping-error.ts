/**
 * Why a server list ping failed:
 * - `refused`: no connection
 * - `timeout`
 * - `closed`: the server closed the connection, as vanilla does while it starts and with `enable-status=false`
 * - `malformed`: not Minecraft, or a hostile answer
 */
export type ListPingFailure = 'refused' | 'timeout' | 'closed' | 'malformed';

/** A server list ping got no usable answer. */
export class ListPingError extends Error {
  override name = 'ListPingError';
  readonly reason: ListPingFailure;

  constructor(reason: ListPingFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
