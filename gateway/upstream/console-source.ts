import { type ConsoleBatch, decodeBatches } from '../../shared/contract/console-batch.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { follow } from './follow.ts';
import type { Supervisors } from './supervisors.ts';

export type { ConsoleBatch };

/** What a follower of a live console is told. */
export interface ConsoleFollower {
  /** From here on no line is missed. Called again after each loss. */
  onOpen(): void;
  /** The batch's text holds until this returns. */
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
  /** Gives the server's terminal this size, now and at later starts. */
  resize(size: { columns: number; rows: number }): Promise<void>;
}

/** The console of one instance, through whichever supervisor serves it. */
export function createConsoleSource(id: string, supervisors: Supervisors): ConsoleSource {
  /** Yields once, when from there on no line is missed; ends when the stream does. */
  async function* live(signal: AbortSignal, { onBatch }: ConsoleFollower): AsyncGenerator<void> {
    const supervisor = await supervisors.of(id);
    // Not item by item: a flood's batches then need no memory of their own, and none waits here.
    const over = supervisor.console(undefined, { signal }).forEach((bytes) => {
      for (const batch of decodeBatches(bytes)) onBatch(batch);
    });
    over.catch(() => undefined); // awaited below, unless the next call fails for the same reason
    // Its answer comes after the subscription has been acted on: calls on one connection are taken in order.
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
  return error instanceof GamekeeperError && error.code === 'instance_not_found';
}
