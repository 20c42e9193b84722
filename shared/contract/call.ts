import type { TRPCCombinedDataTransformer, TRPCDataTransformer } from '@trpc/server';

/** The protocol versions that a peer may use: this program's, and the oldest that it still understands. */
export interface Protocol {
  newest: number;
  oldest: number;
}

/**
 * Raised when a message changes so that an older peer would misread it, or would not do what its caller relies on. The first message of a
 * connection carries it. Daemon, gateway and jobs always have the same version; a supervisor outlives an upgrade, and the newer daemon
 * talks to it until its instance stops:
 * - 5: `gamerules`, `setGamerules`
 * - 4: `accounts`
 * - 3: `playerAction` has a duration and a level, `allowPlayers`, `seenPlayers`, `restartWhenEmpty`
 * - 2: `retire` has a time limit, `hold` distinguishes a change of the folder from a backup
 * - 1: `retire` takes as long as the instance's stop
 */
const SUPERVISOR: Protocol = { newest: 5, oldest: 1 };
/** Older supervisors also call the daemon and jobs, so this cannot change with the supervisor's. */
const OTHERS: Protocol = { newest: 1, oldest: 1 };

export function protocolOf(name: string): Protocol {
  return name.startsWith('supervisor:') ? SUPERVISOR : OTHERS;
}

export interface Peer {
  /** Number of the connection within this process. A peer's leases belong to it. */
  readonly id: number;
  /** Calls `listener` once when the connection has closed for any reason. Returns how to remove it. */
  onClose(listener: () => void): () => void;
}

export interface CallContext<Service> {
  service: Service;
  peer: Peer;
  /** The `x-request-id` of the HTTP request that caused the call, for the logs of every process. */
  requestId: string | undefined;
}

/**
 * Returns a parser that checks nothing, for private sockets (mode 0600) whose callers have validated. It keeps Zod out of the supervisor,
 * whose memory budget is 14 MiB.
 */
export function trusted<T>(): (value: unknown) => T {
  return (value) => value as T;
}

/**
 * Our frames carry JSON and raw bytes, so values arrive as they were sent. Without this tRPC infers the types of JSON (a `Uint8Array` as an
 * object of numbers). Routers can be merged only if they share this object.
 */
const unchanged: TRPCDataTransformer = { serialize: (value) => value, deserialize: (value) => value };
export const asSent: TRPCCombinedDataTransformer = { input: unchanged, output: unchanged };
