/** The tables for players who reach servers through this proxy. */
export interface EdgeTables {
  edge: EdgeRow;
  tunnel: TunnelRow;
  tunnel_name: TunnelNameRow;
  tunnel_usage: TunnelUsageRow;
}

/** A process that players connect to. */
export interface EdgeRow {
  /** Of the names of its servers, such as `play.example.net`. */
  suffix: string;
  /** Where tunnel processes reach it, without a slash at the end. */
  url: string;
  /** Of Java players. */
  port: number;
  first_udp_port: number;
  last_udp_port: number;
  /** Of one account. */
  most_tunnels: number;
  seen_at: number;
}

/** The address of one server. */
export interface TunnelRow {
  id: string;
  account_id: string;
  daemon_id: string;
  /** Id of the server at its daemon. */
  instance: string;
  /** Of its edge. */
  suffix: string;
  label: string;
  /** `java` or `bedrock`. */
  edition: string;
  /** Of Bedrock players; absent for Java. */
  udp_port: number | null;
  /** 0 or 1. */
  is_suspended: number;
  created_at: number;
  used_at: number;
}

/** Whose a name is, also for a while after the account has given it up. */
export interface TunnelNameRow {
  suffix: string;
  label: string;
  /** The account may be gone. */
  account_id: string;
  /** From then on anybody can have it; absent while a tunnel has it. */
  free_at: number | null;
}

export interface TunnelUsageRow {
  account_id: string;
  /** Such as `2026-11`, in UTC. */
  month: string;
  /** To and from players. */
  bytes: number;
}
