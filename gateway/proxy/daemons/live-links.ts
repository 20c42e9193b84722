import type { TokenNotice } from '../../../shared/node/link/link-message.ts';

/** What others need of the links that daemons hold to this proxy. */
export interface LiveLinks {
  /** Closes the link of a daemon that was removed. */
  disconnect(daemonId: string): void;
  /** Does nothing if the daemon is not connected. */
  tell(daemonId: string, message: Extract<TokenNotice, { type: 'grant-revoked' }>): void;
}

/** Which daemons are connected, to whichever replica. */
export interface Presence {
  /** Resolves to those of these daemons that are connected. */
  connected(daemonIds: readonly string[]): Promise<ReadonlySet<string>>;
}
