/** Bytes since the tunnel process began. */
export interface TunnelTraffic {
  fromPlayers: number;
  toPlayers: number;
}

/** What a supervisor knows of its instance's tunnel. */
export interface TunnelStatus {
  provider: string;
  /**
   * - `connecting`: it is being opened, or the server does not answer players yet
   * - `up`: the last probe through the public address reached this server
   * - `failed`: it could not be opened, or the last probe failed (`error`); both are tried again
   */
  state: 'connecting' | 'up' | 'failed';
  /** What players type; empty while it is unknown. */
  address: string;
  /** `<ip>:<port>` that the address leads to; empty while it is unknown. */
  numericAddress: string;
  /** Of the last probe; -1 if it failed, or there was none. */
  pingMs: number;
  /** Why players cannot connect, and what to do about it. */
  error?: string;
  /** Time of the last probe, ISO 8601. */
  checkedAt?: string;
  /** Fingerprint of the SSH server that it uses. */
  hostKey?: string;
  /** While it waits for the owner: where he allows it. */
  claimUrl?: string;
  /** As of the last probe; absent if the players do not pass through the tunnel process. */
  traffic?: TunnelTraffic;
  /** How often it was lost and opened again since the server was started. */
  reconnects: number;
}
