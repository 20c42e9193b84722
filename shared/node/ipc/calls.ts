import type { AnyTRPCProcedure, AnyTRPCRouter, AnyTRPCSubscriptionProcedure } from '@trpc/server';

/** Options of one call. */
export interface CallOptions {
  /** Timeout in milliseconds; 0 waits as long as the peer lives. Subscriptions never time out. */
  timeoutMs?: number;
  /** The `x-request-id` of the request that caused the call. */
  requestId?: string;
  /** Ends the call early. */
  signal?: AbortSignal;
}

/** Options of a call with one answer. */
export interface AnswerOptions extends CallOptions {
  /** Takes an answer of bytes, whose memory is reused after it returns. The call then resolves to `undefined`. Without it, they are copied. */
  onBytes?: (bytes: Uint8Array) => void;
}

/**
 * A router's procedures as plain functions: queries and mutations resolve to their output, subscriptions are async iterables.
 * Only the router's type is needed, so the calling process never loads the router.
 */
export type Calls<Router extends AnyTRPCRouter> = {
  readonly [Name in keyof Router['_def']['record']]: Router['_def']['record'][Name] extends AnyTRPCProcedure
    ? Call<Router['_def']['record'][Name]>
    : never;
};

/** The items of a subscription. It begins when it is first read, and can be read once. */
export interface Stream<Item> extends AsyncIterable<Item> {
  /** Passes on each item when it arrives. Bytes are valid until `take` returns. Resolves at the end or when the call's signal fires. */
  forEach(take: (item: Item) => void): Promise<void>;
}

type Call<Procedure extends AnyTRPCProcedure> = Procedure extends AnyTRPCSubscriptionProcedure
  ? (...args: Arguments<Procedure, CallOptions>) => Stream<Item<Procedure['_def']['$types']['output']>>
  : (...args: Arguments<Procedure, AnswerOptions>) => Promise<Awaited<Procedure['_def']['$types']['output']>>;

type Arguments<Procedure extends AnyTRPCProcedure, Options> = undefined extends Procedure['_def']['$types']['input']
  ? [input?: Procedure['_def']['$types']['input'], options?: Options]
  : [input: Procedure['_def']['$types']['input'], options?: Options];

type Item<Output> = Output extends AsyncIterable<infer T> ? T : Output;
