import { setTimeout as sleep } from 'node:timers/promises';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { Phase } from '../../../shared/domain/phase.ts';
import type { LastCrash } from '../../../shared/domain/runtime.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { CrashHandler, type CrashHandlerOptions } from '../crash/crash-handler.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameRules } from '../game/game-rules.ts';
import type { GameEnd, GameRun } from '../game/watch-game.ts';
import type { TerminalSize } from '../process/pty.ts';
import { Launcher, type LauncherOptions, type Preparation } from './start-game.ts';
import { StateMachine } from './state-machine.ts';
import { type Event, isUninspected, isWaiting, type State } from './state-table.ts';
import { stopGame } from './stop-sequence.ts';

/** How soon a restart that had to wait for a backup is tried again. */
const HELD_RETRY_MS = 1_000;

export interface LifecycleOptions extends LauncherOptions, CrashHandlerOptions {
  console: LauncherOptions['console'] &
    CrashHandlerOptions['console'] & {
      /** What the game left unfinished is its last line. */
      endOfOutput(): void;
    };
  /** Throws while somebody holds the folder. */
  assertFolderFree: () => void;
  /** Resolves when nothing of ours is on the game's port any more. */
  releasePort: () => Promise<void>;
  stopGraceMs: number;
  /** Where the supervisor before this one was lost: how long to wait before the server is started again, milliseconds. */
  restartInMs?: number;
  /** Called with every transition. */
  onChange: () => void;
}

/** Runs the state table of one instance: operations one at a time, the effects of each transition, and what ends by itself. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #launcher: Launcher;
  readonly #mutex = createMutex();
  readonly #machine: StateMachine;
  readonly #crashes: CrashHandler;
  #game: GameProcess | undefined;
  #rules: GameRules | undefined;
  /** What the viewers' terminals have, for the next game as well. */
  #terminalSize: TerminalSize | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  /** Why the leftovers of the previous supervisor could not be inspected. */
  #inspectionFailure: unknown;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#launcher = new Launcher(options);
    this.#crashes = new CrashHandler(options);
    this.#machine = new StateMachine(initialState(options));
    this.#machine.on('change', options.onChange);
  }

  get phase(): Phase {
    return this.#machine.phase;
  }

  /** True while the game process exists. */
  get hasProcess(): boolean {
    return this.#machine.hasProcess;
  }

  /** The game, while its process exists. */
  get game(): GameProcess | undefined {
    return this.#game;
  }

  /** How that game is handled: fixed at its start. */
  get rules(): GameRules | undefined {
    return this.#rules;
  }

  get crash(): LastCrash | undefined {
    return this.#crashes.last;
  }

  /** What the game runs on, or will be started on again after a crash; null: no Java of ours; undefined: there is no such game. */
  get javaProgram(): string | null | undefined {
    return this.hasProcess || isWaiting(this.#machine.state) ? this.#launcher.javaProgram : undefined;
  }

  /** True when no process exists and none will be without a new request. */
  get isAtRest(): boolean {
    return this.#machine.isAtRest;
  }

  /**
   * Inspects what a killed supervisor left, before anything else: recovers its game if that survives without a terminal, else ends it, and
   * starts the server again if that is due. Returns what was found. If the inspection fails, it throws, and starting is refused until a
   * later one succeeds.
   */
  recover(): Promise<'nothing' | 'recovered' | 'ended' | 'restarting'> {
    return this.#mutex.run(async () => {
      try {
        return await this.#inspect();
      } catch (error) {
        this.#inspectionFailure = error;
        throw error;
      }
    });
  }

  async #inspect(): Promise<'nothing' | 'recovered' | 'ended' | 'restarting'> {
    const { record, stopGraceMs, restartInMs = 0 } = this.#options;
    const orphan = await record.findOrphan();
    if (orphan?.keepsRunning) {
      this.#follow(await this.#launcher.takeOver(orphan, { onReady: () => this.#onReady() }), 'recovered');
      if (orphan.ready) this.#onReady();
      return 'recovered';
    }
    const hasEnded = await record.endOrphan(stopGraceMs);
    this.#enter('inspected');
    // A stop may have called the restart off while inspections failed.
    const restarts = this.#machine.state === 'waiting';
    if (restarts) this.#retryIn(restartInMs);
    if (hasEnded) return 'ended';
    return restarts ? 'restarting' : 'nothing';
  }

  /** Resolves once the start is accepted. Throws what stands in its way. */
  start(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#options.assertFolderFree();
      await this.#begin();
      this.#crashes.forgetRestarts();
    });
  }

  /** Starts a server that sleeps; does nothing where it does not any more. Throws as `start`. */
  wake(): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.phase !== 'sleeping') return;
      this.#options.assertFolderFree();
      await this.#begin();
      this.#crashes.forgetRestarts();
    });
  }

  /** Stops a server that runs until somebody wants to play, or has one that is stopped wait for that. Otherwise nothing happens. */
  sleep(): Promise<void> {
    return this.#mutex.run(() => {
      if (!this.#machine.allows('sleep')) return;
      this.#enter('sleep');
      if (this.#game) void this.#runStopSequence(this.#game);
    });
  }

  /** Has a server that sleeps wait for nobody any more. Otherwise nothing happens. */
  endSleep(): Promise<void> {
    return this.#mutex.run(() => {
      if (this.phase === 'sleeping') this.#stop();
    });
  }

  /** Ends a game that does nothing any more, for its crash policy to see to. Nothing happens where it does not run. */
  endHung(reason: string): Promise<void> {
    return this.#mutex.run(async () => {
      const game = this.#game;
      if (!game || !this.#machine.allows('hung')) return;
      this.#crashes.noteHang(reason);
      this.#enter('hung');
      this.#options.console.notice(`${reason} Ending it.`);
      game.signal('SIGTERM'); // what still works in it may save the world
      void sleep(this.#options.stopGraceMs).then(() => this.#game === game && game.kill());
    });
  }

  /** Resolves once the stop has begun. It wins over everything that would start the game. */
  stop(): Promise<void> {
    return this.#mutex.run(() => this.#stop());
  }

  /** Resolves once the stop, or where nothing runs the start, has begun. */
  restart(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#options.assertFolderFree();
      if (this.phase === 'provisioning') return; // the start that is wanted is under way
      const game = this.#game;
      if (!game) {
        await this.#begin();
        return this.#crashes.forgetRestarts();
      }
      const isStopping = this.phase === 'stopping';
      this.#enter('restart');
      if (!isStopping) void this.#runStopSequence(game);
    });
  }

  /** Tells a game that is being stopped by a signal that there is no more time; most save the world at that. */
  hurryStop(): void {
    if (!this.#game) return;
    this.#options.console.notice('There is no more time to stop: sending SIGTERM.');
    this.#game.signal('SIGTERM');
  }

  /** Ends the game at once, whatever else goes on. */
  async kill(): Promise<void> {
    // Not in turn: a kill waits for nobody. Without a process it is a stop.
    if (!this.#game) return this.stop();
    this.#enter('stop');
    this.#options.console.notice('Killing the server.');
    this.#game.kill();
  }

  /** Gives this game's terminal and the next ones' a size. */
  resize(size: TerminalSize): void {
    this.#terminalSize = size;
    this.#game?.resize(size);
  }

  /** Runs something while no operation does. */
  exclusively<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#mutex.run(task);
  }

  /** Resolves once `condition` holds, which is looked at after each transition; to false when `signal` came first. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<boolean> {
    return this.#machine.until(condition, signal);
  }

  async #begin(): Promise<void> {
    if (isUninspected(this.#machine.state) && this.#inspectionFailure !== undefined) throw this.#inspectionFailure;
    this.#machine.assertAllowed('provision');
    await this.#options.releasePort();
    try {
      await this.#beginOnFreePort();
    } catch (error) {
      this.#machine.announce(); // a server that is still asleep gets its port back
      throw error;
    }
  }

  async #beginOnFreePort(): Promise<void> {
    const preparation = await this.#launcher.prepare();
    if (preparation.needsProvisioning) this.#provision(preparation);
    else await this.#launch(preparation, {});
  }

  /** Goes on by itself: the start is accepted, and how it goes shows in console and phase. */
  #provision(preparation: Preparation): void {
    this.#enter('provision');
    // Fires if a stop calls the start off, which leaves the state before the installation ends.
    const { left } = this.#machine;
    const launched = this.#launcher.provision(left).then((provisioned) =>
      this.#mutex.run(async () => {
        if (left.aborted) return;
        // Again: that may have taken minutes, in which somebody else has come to listen on its ports.
        const { folder } = await this.#launcher.prepare();
        await this.#launch({ ...preparation, folder }, provisioned);
      }),
    );
    launched.catch((error: unknown) => {
      if (!left.aborted) this.#fail(error);
    });
  }

  /** Without `provisioned`: on what the game before ran on. */
  async #launch(preparation: Preparation, provisioned?: Provisioned): Promise<void> {
    const launched = await this.#launcher.launch(preparation, {
      ...(provisioned && { provisioned }),
      terminalSize: this.#terminalSize,
      onReady: () => this.#onReady(),
    });
    this.#follow(launched, 'launch');
    // Whoever hears that the start is accepted may rely on the next supervisor finding the game.
    await launched.recorded;
  }

  #follow({ game, end, rules }: GameRun, event: 'launch' | 'recovered'): void {
    this.#game = game;
    this.#rules = rules;
    this.#crashes.noteStart(game);
    void end.then((how) => this.#mutex.run(() => this.#afterEnd(how)));
    this.#enter(event);
  }

  #enter(event: Event): void {
    this.#machine.enter(event);
    if (this.#machine.state !== 'waiting') clearTimeout(this.#retryTimer);
  }

  #onReady(): void {
    if (this.#machine.allows('ready')) this.#enter('ready');
  }

  #stop(): void {
    const before = this.phase;
    this.#enter('stop');
    if (before === 'sleeping') this.#options.console.notice('It sleeps no more: joining does not start it.');
    else if (!this.#game) this.#options.console.notice('The start was called off.');
    else if (before !== 'stopping') void this.#runStopSequence(this.#game);
  }

  async #runStopSequence(game: GameProcess): Promise<void> {
    const { config, console, stopGraceMs, log } = this.#options;
    try {
      await stopGame(game, {
        commands: this.#rules?.stopCommands ?? [],
        timeoutMs: config().stopTimeoutSeconds * 1000,
        graceMs: stopGraceMs,
        notice: console.notice,
      });
    } catch (error) {
      log('error', 'the stop sequence failed; killing the game', { error });
      game.kill();
    }
  }

  async #afterEnd(end: GameEnd): Promise<void> {
    this.#game = undefined;
    this.#options.console.endOfOutput();
    if (this.phase !== 'stopping') return this.#afterUnaskedEnd(end);
    this.#options.console.notice(`The server has stopped${howItEnded(end)}.`);
    this.#enter('ended');
    if (this.#machine.state !== 'restarting') return;
    try {
      await this.#begin();
      this.#crashes.forgetRestarts();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #afterUnaskedEnd(end: GameEnd): Promise<void> {
    const next = await this.#crashes.afterEnd(end);
    if (next.verdict === 'rest') return this.#enter('ended');
    if (next.verdict === 'give-up') return this.#enter('gave-up');
    this.#enter('crashed');
    this.#retryIn(next.delayMs);
  }

  #retryIn(delayMs: number): void {
    this.#retryTimer = setTimeout(() => void this.#mutex.run(() => this.#retry()), delayMs);
  }

  async #retry(): Promise<void> {
    if (this.#machine.state !== 'waiting') return;
    try {
      this.#options.assertFolderFree();
    } catch {
      return this.#retryIn(HELD_RETRY_MS); // a backup reads the folder: the restart waits for it
    }
    try {
      // What a supervisor before this one has launched is not known here.
      if (this.#rules) await this.#launch(await this.#launcher.prepare());
      else await this.#begin();
      this.#crashes.noteRestart();
    } catch (error) {
      const next = this.#crashes.afterFailedRestart(error);
      if (next.verdict !== 'restart') return this.#enter('failed');
      this.#retryIn(next.delayMs);
      this.#machine.announce();
    }
  }

  /** A start that had been accepted cannot be. */
  #fail(error: unknown): void {
    this.#crashes.noteFailedStart(error);
    this.#enter('failed');
  }
}

function initialState({ restartInMs, crash }: Pick<LifecycleOptions, 'restartInMs' | 'crash'>): State {
  if (restartInMs !== undefined) return 'uninspected-waiting';
  return crash ? 'uninspected-crashed' : 'uninspected';
}

/** In words, as far as it is known: how a process ended is told only to the one that started it. */
function howItEnded({ exitCode, signal }: GameEnd): string {
  if (signal === null && exitCode === null) return '';
  return ` (${signal ?? `exit code ${exitCode}`})`;
}
