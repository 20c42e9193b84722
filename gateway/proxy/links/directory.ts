import type { JWK } from 'jose';

export interface RegisteredDaemon {
  daemonId: string;
  accountId: string;
  name: string;
  /** Ed25519. */
  publicKey: JWK;
  lastSeen?: Date;
}

/** Daemons registered at this proxy. */
export interface DaemonDirectory {
  find(daemonId: string): Promise<RegisteredDaemon | undefined>;
  /** Notes when the daemon was last connected. */
  seen(daemonId: string, at: Date): Promise<void>;
}
