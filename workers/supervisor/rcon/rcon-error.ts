/**
 * Why RCON gave no answer:
 * - `refused`: nothing accepts connections there
 * - `password-refused`: the server says that the password is wrong
 * - `closed-during-login`: it hung up instead of answering the login, as some servers do at a wrong password
 * - `timeout`: no connection, or no whole answer, before the deadline
 * - `closed`: the connection ended before the answer was whole, or the session was closed
 */
export type RconFailure = 'refused' | 'password-refused' | 'closed-during-login' | 'timeout' | 'closed';

/** A command that got no answer. The message is fit for users and never holds the password. */
export class RconError extends Error {
  override name = 'RconError';
  readonly reason: RconFailure;

  constructor(reason: RconFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
