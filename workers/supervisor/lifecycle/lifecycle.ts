import { setTimeout as sleep } from 'node:timers/promises';
import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { LastCrash } from '../../../shared/domain/runtime.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { CrashHandler, type CrashHandlerOptions } from '../crash/crash-handler.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameRules } from '../game/game-rules.ts';
import type { GameEnd, GameRun } from '../game/watch-game.ts';
import type { TerminalSize } from '../process/pty.ts';
import { Launcher, type LauncherOptions, type Preparation } from './start-game.ts';
import { StateMachine } from './state-machine.ts';
import { hasProcess, type State } from './state-table.ts';
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
  /** What comes after a stop that is under way. */
  #afterStop: 'rest' | 'start' | 'sleep' = 'rest';
  /** Why the game is being ended that nobody has asked to stop. */
  #endedBecause: string | undefined;
  #provisioning: AbortController | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  /** Why it could not be seen to what an earlier supervisor has left. */
  #unseen: unknown;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#launcher = new Launcher(options);
    this.#crashes = new CrashHandler(options);
    const isToRestart = options.restartInMs !== undefined;
    this.#machine = new StateMachine(isToRestart ? 'waiting' : options.crash ? 'crashed' : 'stopped', () => {
      if (this.state !== 'waiting') clearTimeout(this.#retryTimer);
      options.onChange();
    });
  }

  get state(): State {
    return this.#machine.state;
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
    return hasProcess(this.state) || this.state === 'waiting' ? this.#launcher.javaProgram : undefined;
  }

  /** True when no process exists and none will be without a new request. */
  get isAtRest(): boolean {
    return (this.state === 'stopped' && this.#afterStop !== 'start') || this.state === 'crashed';
  }

  /**
   * Sees to what a supervisor that was killed has left, before anything else: takes its game over where that goes on without a terminal,
   * else ends it, and starts the server again where that is to be. Resolves to which of these it was. Throws where that cannot be seen, and
   * then nothing is started until it can.
   */
  inherit(): Promise<'nothing' | 'taken-over' | 'ended' | 'restarting'> {
    return this.#mutex.run(async () => {
      try {
        const what = await this.#seeToWhatIsLeft();
        this.#unseen = undefined;
        return what;
      } catch (error) {
        this.#unseen = error;
        throw error;
      }
    });
  }

  async #seeToWhatIsLeft(): Promise<'nothing' | 'taken-over' | 'ended' | 'restarting'> {
    const { record, stopGraceMs, restartInMs } = this.#options;
    const left = await record.findOrphan();
    if (left?.keepsRunning) {
      this.#attend(await this.#launcher.takeOver(left, { onReady: () => this.#onReady() }));
      if (left.ready) this.#onReady();
      return 'taken-over';
    }
    const hasEnded = await record.endOrphan(stopGraceMs);
    // A stop may have come since it could not be seen.
    const isToRestart = restartInMs !== undefined && this.state === 'waiting';
    if (isToRestart) this.#retryIn(restartInMs);
    if (hasEnded) return 'ended';
    return isToRestart ? 'restarting' : 'nothing';
  }

  /** Resolves once the start is accepted. Throws what stands in its way. */
  start(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#options.assertFolderFree();
      await this.#begin();
      this.#crashes.beginAnew();
    });
  }

  /** Starts a server that sleeps; does nothing where it does not any more. Throws as `start`. */
  wake(): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.state !== 'sleeping') return;
      this.#options.assertFolderFree();
      await this.#begin();
      this.#crashes.beginAnew();
    });
  }

  /** Stops a server that runs until somebody wants to play, or has one that is stopped wait for that. Otherwise nothing happens. */
  sleep(): Promise<void> {
    return this.#mutex.run(() => {
      if (this.state === 'stopped') return this.#machine.enter('slept');
      if (this.state !== 'running') return;
      this.#end();
      this.#afterStop = 'sleep';
    });
  }

  /** Has a server that sleeps wait for nobody any more. Otherwise nothing happens. */
  endSleep(): Promise<void> {
    return this.#mutex.run(() => {
      if (this.state === 'sleeping') this.#end();
    });
  }

  /** Ends a game that does nothing any more, for its crash policy to see to. Nothing happens where it does not run. */
  endHung(reason: string): Promise<void> {
    return this.#mutex.run(async () => {
      const game = this.#game;
      if (this.state !== 'running' || !game || this.#endedBecause !== undefined) return;
      this.#endedBecause = reason;
      this.#options.console.notice(`${reason} Ending it.`);
      game.signal('SIGTERM'); // what still works in it may save the world
      void sleep(this.#options.stopGraceMs).then(() => this.#game === game && game.kill());
    });
  }

  /** Resolves once the stop has begun. It wins over everything that would start the game. */
  stop(): Promise<void> {
    return this.#mutex.run(() => this.#end());
  }

  /** Resolves once the stop, or where nothing runs the start, has begun. */
  restart(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#options.assertFolderFree();
      if (this.state === 'provisioning') return; // what is wanted is under way
      if (!hasProcess(this.state)) {
        await this.#begin();
        return this.#crashes.beginAnew();
      }
      this.#end();
      this.#afterStop = 'start';
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
    if (this.state !== 'stopping') this.#machine.enter('stop');
    this.#afterStop = 'rest';
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
    this.#machine.assertAllowed('provision');
    if (this.#unseen !== undefined) throw this.#unseen;
    await this.#options.releasePort();
    try {
      await this.#beginOnFreePort();
    } catch (error) {
      this.#options.onChange(); // one that sleeps on has its port back
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
    const cancel = new AbortController();
    this.#provisioning = cancel;
    this.#machine.enter('provision');
    const launched = this.#launcher.provision(cancel.signal).then((provisioned) =>
      this.#mutex.run(async () => {
        if (cancel.signal.aborted) return;
        // Again: that may have taken minutes, in which somebody else has come to listen on its ports.
        const { folder } = await this.#launcher.prepare();
        await this.#launch({ ...preparation, folder }, provisioned);
      }),
    );
    launched.catch((error: unknown) => {
      if (!cancel.signal.aborted) this.#fail(error);
    });
  }

  /** Without `provisioned`: on what the game before ran on. */
  async #launch(preparation: Preparation, provisioned?: Provisioned): Promise<void> {
    const launched = await this.#launcher.launch(preparation, {
      ...(provisioned && { provisioned }),
      terminalSize: this.#terminalSize,
      onReady: () => this.#onReady(),
    });
    this.#attend(launched);
    // Whoever hears that the start is accepted may rely on the next supervisor finding the game.
    await launched.recorded;
  }

  #attend({ game, end, rules }: GameRun): void {
    this.#game = game;
    this.#rules = rules;
    this.#crashes.attend(game);
    this.#endedBecause = undefined;
    void end.then((how) => this.#mutex.run(() => this.#afterEnd(how)));
    this.#machine.enter('launch');
  }

  #onReady(): void {
    if (this.state === 'starting') this.#machine.enter('ready');
  }

  #end(): void {
    const before = this.state;
    this.#machine.assertAllowed('stop');
    this.#afterStop = 'rest';
    this.#provisioning?.abort();
    this.#machine.enter('stop');
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
    if (this.state !== 'stopping') return this.#afterUnaskedEnd(end);
    this.#options.console.notice(`The server has stopped${howItEnded(end)}.`);
    const afterStop = this.#afterStop;
    this.#machine.enter(afterStop === 'sleep' ? 'slept' : 'ended');
    if (afterStop !== 'start') return;
    try {
      await this.#begin();
      this.#crashes.beginAnew();
      this.#afterStop = 'rest';
    } catch (error) {
      this.#afterStop = 'rest';
      this.#fail(error);
    }
  }

  async #afterUnaskedEnd(end: GameEnd): Promise<void> {
    const next = await this.#crashes.afterEnd(end, this.#endedBecause);
    if (next.verdict === 'rest') return this.#machine.enter('ended');
    if (next.verdict === 'give-up') return this.#machine.enter('gave-up');
    this.#machine.enter('crashed');
    this.#retryIn(next.delayMs);
  }

  #retryIn(delayMs: number): void {
    this.#retryTimer = setTimeout(() => void this.#mutex.run(() => this.#retry()), delayMs);
  }

  async #retry(): Promise<void> {
    if (this.state !== 'waiting') return;
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
      if (next.verdict !== 'restart') return this.#machine.enter('failed');
      this.#retryIn(next.delayMs);
      this.#options.onChange();
    }
  }

  /** A start that had been accepted cannot be. */
  #fail(error: unknown): void {
    this.#crashes.noteFailedStart(error);
    this.#machine.enter('failed');
  }
}

/** In words, as far as it is known: how a process ended is told only to the one that started it. */
function howItEnded({ exitCode, signal }: GameEnd): string {
  if (signal === null && exitCode === null) return '';
  return ` (${signal ?? `exit code ${exitCode}`})`;
}
