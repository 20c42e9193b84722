/**
 * Why a command got no answer:
 * - `refused`: the server accepts no connection
 * - `password-refused`: the server rejected the password
 * - `closed-during-login`: the server closed the connection during the login, as some do at a wrong password
 * - `login-timeout`: the server did not answer the login
 * - `not-tried`: a command failed a moment ago, so this one was not sent
 * - `timeout`: no connection, or no complete answer, before the deadline
 * - `closed`: the connection ended before the answer was complete, or the session was closed
 */
export type RconFailure =
  | 'refused'
  | 'password-refused'
  | 'closed-during-login'
  | 'login-timeout'
  | 'not-tried'
  | 'timeout'
  | 'closed';

/** A command got no answer. The message can be shown to users and never contains the password. */
export class RconError extends Error {
  override name = 'RconError';
  readonly reason: RconFailure;

  constructor(reason: RconFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Whether the server has certainly not seen the command. */
export function wasNotSent({ reason }: RconError): boolean {
  return reason !== 'timeout' && reason !== 'closed';
}
