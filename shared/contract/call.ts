import type { TRPCDataTransformer } from '@trpc/server';

/**
 * Raised when a message changes in a way that an older peer would misread. The first message of a connection carries it; a newer
 * daemon goes on talking to an older supervisor until that instance stops.
 */
export const PROTOCOL_VERSION = 1;

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
 * types (a `Uint8Array` as an object of numbers).
 */
export const asSent: TRPCDataTransformer = { serialize: (value) => value, deserialize: (value) => value };
