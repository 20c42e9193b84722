import { setTimeout as sleep } from 'node:timers/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { GameRecord } from '../game/game-record.ts';
import { described, listed } from '../process/end-processes.ts';
import { sendSignal } from '../process/game-processes.ts';
import { type FoundProcess, findProcess } from '../process/process-tree.ts';
import type { StartOptions } from './start-context.ts';

/** How long a start waits for an orphan before it is refused: less than callers wait for an answer. Milliseconds. */
const ORPHAN_WAIT_MS = 3_000;
const ORPHAN_CHECK_MS = 50;
const CHECK_MS = 1_000;

export interface LeftoversOptions {
  record: GameRecord;
  services: StartOptions['services'];
  onChange: () => void;
}

/**
 * The processes that still run although they should not: the orphan, which is the game of a killed supervisor and gets time to save, and
 * processes that a game may have started and that survived it.
 */
export class Leftovers {
  readonly #options: LeftoversOptions;
  readonly #killed = new AbortController();
  #isEndingOrphan = false;
  #found: readonly FoundProcess[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  get all(): readonly FoundProcess[] {
    return this.#found;
  }

  /** True while the orphan has time to save. */
  get isEndingOrphan(): boolean {
    return this.#isEndingOrphan;
  }

  /** Ends the orphan if there is one, calls `onEnded`, and resolves to whether there was one. */
  async endOrphan(onEnded: () => Promise<void>): Promise<boolean> {
    const { record, services } = this.#options;
    const notice = (text: string) => services.console.appendNotice(text);
    try {
      return await record.endOrphan({
        graceMs: services.stopGraceMs(),
        notice,
        hurry: this.#killed.signal,
        onEnded,
        onFound: (found) => {
          this.#isEndingOrphan = true;
          this.show(found);
          notice(`The server was left without its supervisor: sending SIGTERM to ${described(found)}.`);
        },
      });
    } finally {
      this.#isEndingOrphan = false;
      this.#refresh();
    }
  }

  /** Waits a moment for the orphan to end. Throws `already_in_progress` if it takes longer. */
  async waitForOrphan(): Promise<void> {
    const deadline = performance.now() + ORPHAN_WAIT_MS;
    while (this.#isEndingOrphan && performance.now() < deadline) await sleep(ORPHAN_CHECK_MS);
    if (this.#isEndingOrphan)
      throw new GamekeeperError(
        'already_in_progress',
        'The server lost its supervisor. Its processes are saving and have to end first.',
        { resolution: 'Wait until they have ended, at the latest after the stop timeout, or kill the server.' },
      );
  }

  /** Throws `invalid_state` while a process lives that may still write to the server's folder. */
  assertNone(): void {
    this.#refresh();
    if (this.#found.length === 0) return;
    throw new GamekeeperError(
      'invalid_state',
      `The server has ended, but processes that it may have started may still run: ${listed(this.#found)}.`,
      { resolution: 'Wait until they have ended, or end them yourself. If they belong to the server, kill it again.' },
    );
  }

  /** Ends the processes that are shown: they belong to the server, says whoever kills it again. */
  kill(): void {
    this.#refresh();
    this.#options.services.console.appendNotice(`Sending SIGKILL to ${listed(this.#found)}.`);
    for (const { pid } of this.#found) sendSignal(pid, 'SIGKILL');
  }

  /** Leaves the orphan no more time to save. */
  killOrphan(): void {
    this.#killed.abort();
  }

  /** Shows these processes until they have ended. */
  show(found: readonly FoundProcess[]): void {
    this.#found = found;
    this.#options.onChange();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#refresh(), CHECK_MS).unref();
  }

  #refresh(): void {
    const running = this.#found.filter(({ pid, startTicks }) => findProcess(pid)?.startTicks === startTicks);
    if (running.length === 0) clearInterval(this.#timer);
    if (running.length === this.#found.length) return;
    this.#found = running;
    this.#options.onChange();
  }
}
