import type { Phase } from '../../../shared/domain/instance/phase.ts';
import type { LastCrash } from '../../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameRules } from '../game/game-rules.ts';
import type { FoundProcess } from '../process/process-tree.ts';
import type { TerminalSize } from '../process/terminal-holder.ts';
import { GameRunner, type GameRunnerOptions, type Recovery } from './game-runner.ts';
import { isWaiting } from './state-table.ts';
import { terminateGame } from './stop-sequence.ts';

/** Of a limited time, at least this much belongs to the stop commands, since most servers obey them. */
const LEAST_COMMAND_SHARE = 2 / 3;

/** The operations on one instance, one at a time. */
export class Lifecycle {
  readonly #options: GameRunnerOptions;
  readonly #runner: GameRunner;
  /** From then on, the server belongs to another supervisor. */
  #isHandedOver = false;

  constructor(options: GameRunnerOptions) {
    this.#options = options;
    this.#runner = new GameRunner(options);
  }

  get phase(): Phase {
    return this.#options.machine.phase;
  }

  get hasProcess(): boolean {
    return this.#options.machine.hasProcess;
  }

  get isAtRest(): boolean {
    return this.#options.machine.isAtRest;
  }

  /** The game, while its process exists. */
  get game(): GameProcess | undefined {
    return this.#runner.game;
  }

  /** The rules of the last game, fixed at its start. */
  get rules(): GameRules | undefined {
    return this.#runner.rules;
  }

  get crash(): LastCrash | undefined {
    return this.#options.crashes.last;
  }

  /** Processes that may be the game's and still run, although it has ended. */
  get leftovers(): readonly FoundProcess[] {
    return this.#runner.leftovers.all;
  }

  /** True while the processes that a killed supervisor left are given time to save. */
  get isEndingOrphan(): boolean {
    return this.#runner.leftovers.isEndingOrphan;
  }

  /** The Java that the game runs on, or restarts on after a crash. `null`: not one that Gamekeeper installed; `undefined`: no game runs. */
  get javaProgram(): string | null | undefined {
    if (!this.hasProcess && !isWaiting(this.#options.machine.state)) return undefined;
    return this.#runner.launchedOn?.java ?? null;
  }

  /**
   * Inspects what a killed supervisor left, before anything else. Recovers a game that can go on, ends any other, and
   * restarts the server if a restart is due. If the inspection fails, it throws, and starting is refused until a later one succeeds.
   */
  recover(): Promise<Recovery> {
    return this.exclusively(() => this.#runner.recover());
  }

  /** Resolves once the start is accepted. Throws the reason if the server cannot start. */
  async start(): Promise<void> {
    await this.#runner.leftovers.waitForOrphan();
    await this.exclusively(() => this.#runner.start());
  }

  /** Starts a server that sleeps; does nothing otherwise. Throws as `start` does. */
  wake(): Promise<void> {
    return this.exclusively(async () => {
      if (this.phase === 'sleeping') await this.#runner.start();
    });
  }

  /** Puts a running server to sleep until a player joins; a stopped one waits for that as well. Does nothing otherwise. */
  sleep(): Promise<void> {
    return this.#soon(() => {
      if (this.#options.machine.allows('sleep')) this.#runner.end('sleep');
    });
  }

  /** Ends the sleep, so that joining no longer starts the server. Does nothing otherwise. */
  endSleep(): Promise<void> {
    return this.#soon(() => {
      if (this.phase === 'sleeping') this.#stop();
    });
  }

  /** Ends a running game that hangs, which then counts as a crash. Does nothing otherwise. */
  endHung(reason: string): Promise<void> {
    return this.exclusively(() => {
      const { game } = this;
      const { machine, crashes, start } = this.#options;
      if (!game || !machine.allows('hung')) return;
      crashes.noteHang(reason);
      machine.enter('hung');
      // A part that still works may save the world.
      void terminateGame(game, {
        why: `${reason} Ending it`,
        graceMs: start.services.stopGraceMs(),
        notice: (text) => this.#notice(text),
      });
    });
  }

  /** Resolves once the stop has begun. A stop overrides everything that would start the game. */
  stop(): Promise<void> {
    return this.#soon(() => this.#stop());
  }

  /** Resolves once the stop has begun, or the start if nothing runs. */
  async restart(): Promise<void> {
    await this.#runner.leftovers.waitForOrphan();
    await this.exclusively(async () => {
      this.#options.assertFolderFree();
      if (this.game) this.#runner.end('restart');
      else if (this.phase !== 'provisioning') await this.#runner.start();
    });
  }

  /** Has the server restart once nobody is online, or no longer. Throws `invalid_state` if it does not run. */
  restartWhenEmpty(isWanted: boolean): Promise<void> {
    return this.exclusively(async () => {
      const { machine, pending } = this.#options;
      if (isWanted && machine.phase !== 'starting' && machine.phase !== 'running')
        throw new GamekeeperError(
          'invalid_state',
          `The server is ${machine.phase}; only a running server can wait for its restart.`,
        );
      await pending.waitForEmpty(isWanted);
      machine.announce();
    });
  }

  /**
   * Carries out a restart that waits until nobody is online, if `isEmpty` still holds once no other operation runs. Returns false if it does
   * not, or if the restart waits no longer. Throws the reason of a locked folder.
   */
  restartEmpty(isEmpty: () => boolean): Promise<boolean> {
    return this.exclusively(() => {
      if (this.phase !== 'running' || !this.#options.pending.waitsForEmpty || !isEmpty()) return false;
      this.#options.assertFolderFree();
      this.#runner.end('restart');
      return true;
    });
  }

  /** Ends the game at once, or what is left of it. Not in the mutex, since a kill waits for no other operation. Without a process it is a stop. */
  async kill(): Promise<void> {
    const { game } = this;
    if (this.isEndingOrphan) return this.#killOrphan();
    if (!game && this.leftovers.length > 0) return this.#runner.leftovers.kill();
    if (!game) return this.stop();
    this.#options.machine.enter('stop');
    this.#notice('Killing the server.');
    game.kill();
  }

  /**
   * Stops the game if it runs; resolves once the instance is at rest. Does not reject if the game ended by itself meanwhile. With
   * `withinMs`, SIGTERM follows the stop commands while there is still time for the game to save.
   */
  async rest(limits?: { withinMs: number }): Promise<void> {
    const hurry = limits && setTimeout(() => this.#runner.hurryStop(), this.#commandTime(limits.withinMs));
    try {
      await this.exclusively(() => undefined); // so that the leftovers of a killed supervisor have been inspected
      if (!this.isAtRest) {
        await this.stop().catch((error: unknown) => {
          if (!this.isAtRest) throw error;
        });
      }
      await this.until(() => this.isAtRest);
    } finally {
      clearTimeout(hurry);
    }
  }

  /** Leaves the game to another supervisor, as part of `task`, which may refuse. Throws as GameRunner does. */
  handOver<T>(task: (release: () => void) => T): Promise<T> {
    return this.exclusively(() =>
      task(() => {
        this.#runner.release();
        this.#isHandedOver = true;
      }),
    );
  }

  resize(size: TerminalSize): void {
    this.#runner.terminalSize = size;
    this.game?.resize(size);
  }

  exclusively<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#options.mutex.run(() => {
      if (this.#isHandedOver) throw new GamekeeperError('worker_unavailable', 'Another supervisor is taking over.');
      return task();
    });
  }

  /** Runs a task on the folder while the server is stopped, asleep or crashed. Otherwise throws `invalid_state`, or why the folder is locked. */
  whileStopped<T>(task: () => Promise<T>): Promise<T> {
    return this.exclusively(() => {
      this.#options.assertFolderFree();
      this.#runner.leftovers.assertNone();
      if (this.#options.machine.allows('provision')) return task();
      throw new GamekeeperError(
        'invalid_state',
        `The server is ${this.phase}; its files can be changed only while it is stopped.`,
      );
    });
  }

  until(condition: () => boolean, signal?: AbortSignal): Promise<boolean> {
    return this.#options.machine.until(condition, signal);
  }

  /** Like `exclusively`, but does not wait until leftovers have ended: what should follow can be decided before. */
  #soon(task: () => void): Promise<void> {
    return this.isEndingOrphan ? Promise.resolve().then(task) : this.exclusively(task);
  }

  #killOrphan(): void {
    this.#runner.leftovers.killOrphan();
    if (this.#options.machine.allows('stop')) this.#stop();
  }

  #stop(): void {
    const { phase, game } = this;
    this.#runner.end('stop');
    if (phase === 'sleeping') this.#notice('Sleep mode is off. Players can no longer start the server by joining.');
    else if (!game) this.#notice('The start was cancelled.');
  }

  /** Returns the part of the time for the stop commands; the rest is for SIGTERM. Milliseconds. */
  #commandTime(withinMs: number): number {
    return Math.max(withinMs - this.#options.start.services.stopGraceMs(), withinMs * LEAST_COMMAND_SHARE);
  }

  #notice(text: string): void {
    this.#options.start.services.console.appendNotice(text);
  }
}
