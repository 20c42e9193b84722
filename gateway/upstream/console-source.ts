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

/** The console of one instance, through whichever supervisor process serves it. */
export interface ConsoleSource {
  follow(follower: ConsoleFollower): () => void;
  /** Returns the lines after `after`, up to about `maxBytes`, or the last `tail` lines; oldest first. */
  read(query: { after: number; maxBytes: number } | { tail: number }): Promise<ConsoleBatch[]>;
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
    async read(query) {
      return decodeBatches(await supervisors.ask(id, (supervisor) => supervisor.readConsole(query)));
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
