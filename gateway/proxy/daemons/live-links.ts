import type { TokenNotice } from '../../../shared/node/link/link-message.ts';

/** What others need of the links that daemons hold to this proxy. */
export interface LiveLinks {
  /** Closes the link of a daemon that was removed. */
  disconnect(daemonId: string): void;
  /** Does nothing if the daemon is not connected. */
  tell(daemonId: string, message: Extract<TokenNotice, { type: 'grant-revoked' }>): void;
}
