import { type ConsoleBatch, decodeBatches } from '../../shared/contract/console-batch.ts';
import { isGamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { follow } from './follow.ts';
import type { Supervisors } from './supervisors.ts';

export type { ConsoleBatch };

export interface ConsoleFollower {
  /** No line is missed from now on. Called again after each loss. */
  onOpen(): void;
  /** The batch's memory is reused after this returns. */
  onBatch(batch: ConsoleBatch): void;
  onLost(): void;
  onGone(): void;
}

export type ConsoleQuery = { after: number; maxBytes: number } | { tail: number };

/** The console of one instance, through whichever supervisor process serves it. */
export interface ConsoleSource {
  follow(follower: ConsoleFollower): () => void;
  /**
   * Passes on the lines after `after`, up to about `maxBytes`, or the last `tail` lines; oldest first. Their memory is reused after `take`
   * returns. Resolves to what it returns.
   */
  read<T>(query: ConsoleQuery, take: (batches: ConsoleBatch[]) => T): Promise<T>;
  send(line: string): Promise<void>;
  /** Sets the size of the server's terminal, now and for later starts. */
  resize(size: { columns: number; rows: number }): Promise<void>;
}

export function createConsoleSource(id: string, supervisors: Supervisors): ConsoleSource {
  /** Yields once the stream is open; ends with the stream. */
  async function* live(signal: AbortSignal, { onBatch }: ConsoleFollower): AsyncGenerator<void> {
    const supervisor = await supervisors.of(id);
    // Not an async iteration, which would copy and queue the batches of a flood.
    const over = supervisor.console(undefined, { signal }).forEach((bytes) => {
      for (const batch of decodeBatches(bytes)) onBatch(batch);
    });
    over.catch(() => undefined); // awaited below, unless the next call fails for the same reason
    // Calls on one connection are handled in order: this answer means that the subscription is active.
    await supervisor.status();
    yield;
    await over;
  }

  return {
    follow: (follower) =>
      follow({
        subscribe: (signal) => live(signal, follower),
        onItem: follower.onOpen,
        onLost(error) {
          follower.onLost();
          if (isGone(error)) follower.onGone();
        },
        isFinal: isGone,
      }),
    async read(query, take) {
      let taken!: ReturnType<typeof take>;
      const onBytes = (bytes: Uint8Array) => {
        taken = take(decodeBatches(bytes));
      };
      await supervisors.ask(id, (supervisor) => supervisor.readConsole(query, { onBytes }));
      return taken;
    },
    async send(line) {
      const supervisor = await supervisors.of(id);
      await supervisor.sendLine(line);
    },
    async resize(size) {
      await supervisors.ask(id, (supervisor) => supervisor.resize(size));
    },
  };
}

function isGone(error: unknown): boolean {
  return isGamekeeperError(error, 'instance_not_found');
}
