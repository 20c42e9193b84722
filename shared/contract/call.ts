import type { TRPCCombinedDataTransformer, TRPCDataTransformer } from '@trpc/server';

/** Which versions of the protocol a peer may speak: the one of this program, and the oldest that it still talks to. */
export interface Protocol {
  newest: number;
  oldest: number;
}

/**
 * Raised when a message changes so that an older peer would misread it, or does not do what its caller relies on. The first message of a
 * connection carries it. Daemon, gateway and jobs are always of one version; a supervisor outlives an upgrade, and the newer daemon goes on
 * talking to it until that instance stops:
 * - 2: `retire` keeps to a time, `hold` tells what changes the folder from a backup
 * - 1: it takes what the instance's stop takes
 */
const SUPERVISOR: Protocol = { newest: 2, oldest: 1 };
/** Older supervisors ask the daemon and jobs as well, and take nothing newer than what they know. */
const OTHERS: Protocol = { newest: 1, oldest: 1 };

/** What a peer that says it has this name in its hello may speak. */
export function protocolOf(name: string): Protocol {
  return name.startsWith('supervisor:') ? SUPERVISOR : OTHERS;
}

/** The other end of a connection, as a procedure sees it. */
export interface Peer {
  /** Number of the connection within this process; what a peer holds (a lease) hangs on it. */
  readonly id: number;
  /** Runs `listener` once, when the connection has closed for whatever reason. Returns how to take it back. */
  onClose(listener: () => void): () => void;
}

/** Context of every call: the object that does the work, and who asks. */
export interface CallContext<Service> {
  service: Service;
  peer: Peer;
  /** The `x-request-id` of the request that caused the call, for the logs of each process it crosses. */
  requestId: string | undefined;
}

/**
 * A parser that trusts: for contracts on private sockets (mode 0600) whose callers have validated already. It keeps Zod out of the
 * supervisor, which may have 14 MiB in all.
 */
export function trusted<T>(): (value: unknown) => T {
  return (value) => value as T;
}

/**
 * Our frames carry JSON and raw bytes, so values arrive as they were sent; saying so to tRPC keeps it from inferring JSON-mangled
 * types (a `Uint8Array` as an object of numbers). Both directions are given, since routers can be merged only where they share this object.
 */
const unchanged: TRPCDataTransformer = { serialize: (value) => value, deserialize: (value) => value };
export const asSent: TRPCCombinedDataTransformer = { input: unchanged, output: unchanged };
