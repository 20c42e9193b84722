/** What a daemon is told over its link. */
export interface GrantRevoked {
  type: 'grant-revoked';
  grantId: string;
}

/** The links that daemons hold to this proxy. */
export interface LiveLinks {
  /** Closes the link of a daemon that was removed. */
  disconnect(daemonId: string): void;
  /** Does nothing if the daemon is not connected. */
  tell(daemonId: string, message: GrantRevoked): void;
}
