import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { follow } from './follow.ts';
import type { Supervisors } from './supervisors.ts';

/** Consecutive lines of a console, redacted, each ending in CR LF. */
export interface ConsoleBatch {
  /** Number of the first line; the others count up from it. */
  firstSeq: number;
  count: number;
  /** Milliseconds since the epoch. */
  at: number;
  skipped: number;
  text: Buffer;
}

/** What a follower of a live console is told. */
export interface ConsoleFollower {
  /** From here on no line is missed. Called again after each loss. */
  onOpen(): void;
  onBatch(batch: ConsoleBatch): void;
  /** The supervisor is gone; it is looked for again. */
  onLost(): void;
  /** There is no such instance any more; nothing follows. */
  onGone(): void;
}

/** Where a console's lines come from and its commands go to: one instance's supervisor, whichever process that is just now. */
export interface ConsoleSource {
  /** Follows the live console. Returns how to stop. */
  follow(follower: ConsoleFollower): () => void;
  /** Lines after `after`, at most about `maxBytes` of them, or the last `tail` lines; oldest first. */
  read(query: { after: number; maxBytes: number } | { tail: number }): Promise<ConsoleBatch[]>;
  /** Types one line. */
  send(line: string): Promise<void>;
}

export function decodeConsoleBatch(bytes: Uint8Array): ConsoleBatch {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(10);
  return { ...(JSON.parse(buffer.toString('utf8', 0, end)) as ConsoleBatch), text: buffer.subarray(end + 1) };
}

/** The console of one instance, through whichever supervisor serves it. */
export function consoleFeed(id: string, supervisors: Supervisors): ConsoleSource {
  async function* live(signal: AbortSignal, { onOpen }: ConsoleFollower): AsyncGenerator<ConsoleBatch> {
    const supervisor = await supervisors.of(id);
    const stream = supervisor.console(undefined, { signal })[Symbol.asyncIterator]();
    try {
      let next = stream.next();
      next.catch(() => undefined); // awaited below, unless the next call fails for the same reason
      // Its answer comes after the subscription has been acted on: calls on one connection are taken in order.
      await supervisor.status();
      onOpen();
      for (let item = await next; !item.done; item = await next) {
        next = stream.next();
        yield decodeConsoleBatch(item.value);
      }
    } finally {
      await stream.return?.();
    }
  }

  return {
    follow: (follower) =>
      follow({
        subscribe: (signal) => live(signal, follower),
        onItem: follower.onBatch,
        onLost(error) {
          follower.onLost();
          if (isGone(error)) follower.onGone();
        },
        isFinal: isGone,
      }),
    async read(query) {
      return (await supervisors.ask(id, (supervisor) => supervisor.readConsole(query))).map(decodeConsoleBatch);
    },
    async send(line) {
      const supervisor = await supervisors.of(id);
      await supervisor.sendLine(line);
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof GamekeeperError && error.code === 'instance_not_found';
}
