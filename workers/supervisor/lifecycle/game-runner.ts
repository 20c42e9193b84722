import type { Provisioned } from '../../../shared/contract/jobs.ts';
import type { HandedOver } from '../../../shared/contract/supervisor-boot.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Mutex } from '../../../shared/node/primitives/mutex.ts';
import type { CrashHandler } from '../crash/crash-handler.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameRules } from '../game/game-rules.ts';
import { type GameEnd, type GameRun, howItEnded } from '../game/watch-game.ts';
import { listed } from '../process/end-processes.ts';
import type { TerminalSize } from '../process/terminal-holder.ts';
import { Leftovers } from './leftovers.ts';
import type { PendingRestart } from './pending-restart.ts';
import { canRecover, recoverRun, showRest } from './recovery.ts';
import { StartContext, type StartOptions } from './start-context.ts';
import { hasToProvision, LAUNCH, PREPARATION, PROVISIONING, runSteps } from './start-steps.ts';
import type { StateMachine } from './state-machine.ts';
import { isUninspected } from './state-table.ts';
import { stopGame } from './stop-sequence.ts';

/** How soon an automatic restart is tried again while the folder is locked. */
const LOCKED_RETRY_MS = 1_000;
export interface GameRunnerOptions {
  machine: StateMachine;
  /** Runs one operation at a time; shared with other work that must not run during one. */
  mutex: Mutex;
  assertFolderFree: () => void;
  start: StartOptions;
  crashes: CrashHandler;
  pending: PendingRestart;
  /** After a lost supervisor: the delay of the first restart, milliseconds. */
  restartInMs: number | undefined;
}

/** Result of a recovery: nothing was found, a game is under control again, leftovers were ended, or a restart is due. */
export type Recovery = 'nothing' | 'recovered' | 'ended' | 'restarting';

/** Starts the game, follows it to its end, and restarts it after a crash. Its methods are called inside the mutex. */
export class GameRunner {
  readonly #options: GameRunnerOptions;
  readonly #machine: StateMachine;
  readonly leftovers: Leftovers;
  #game: GameProcess | undefined;
  #rules: GameRules | undefined;
  #launchedOn: Provisioned | undefined;
  /** Why the leftovers of the previous supervisor could not be inspected. */
  #inspectionFailure: unknown;
  #hurryStop = new AbortController();
  /** The size of the viewers' terminals, kept for the next game. */
  terminalSize: TerminalSize | undefined;

  constructor(options: GameRunnerOptions) {
    this.#options = options;
    this.#machine = options.machine;
    const { record, services } = options.start;
    this.leftovers = new Leftovers({ record, services, onChange: () => this.#machine.announce() });
  }

  get game(): GameProcess | undefined {
    return this.#game;
  }

  get rules(): GameRules | undefined {
    return this.#rules;
  }

  /** The software and Java on which this supervisor launched its last game. */
  get launchedOn(): Provisioned | undefined {
    return this.#launchedOn;
  }

  /** Recovers or ends what a killed supervisor left. Until this succeeds, starting is refused. */
  async recover(): Promise<Recovery> {
    try {
      return await this.#inspect();
    } catch (error) {
      this.#inspectionFailure = error;
      throw error;
    }
  }

  /** Starts the game because of a request. Resolves once the start is accepted. Throws why it is refused, or has failed. */
  async start(): Promise<void> {
    this.#options.assertFolderFree();
    this.#assertStartable();
    try {
      await this.#begin();
    } catch (error) {
      // A server that sleeps, or waits for a restart, goes on with that.
      if (this.#machine.isAtRest) this.#fail(error);
      throw error;
    }
    this.#options.crashes.forgetRestarts();
  }

  /** Leaves the game, if there is one, to another supervisor. Throws `invalid_state` or `already_in_progress` if that is not possible now. */
  release(): void {
    const { state } = this.#machine;
    if (state !== 'running' && state !== 'sleeping')
      throw new GamekeeperError(
        'already_in_progress',
        `The server is ${this.#machine.phase}, and its supervisor is needed.`,
      );
    if (this.leftovers.all.length > 0)
      throw new GamekeeperError('already_in_progress', 'Processes of the server have to end first.');
    this.#game?.release();
  }

  /** Leaves no more time for the stop commands: a game that is being stopped gets SIGTERM. */
  hurryStop(): void {
    this.#hurryStop.abort();
  }

  /** Begins to stop the game, if there is one. The event decides what follows. */
  end(event: 'stop' | 'restart' | 'sleep'): void {
    const { phase } = this.#machine;
    this.#machine.enter(event);
    if (this.#game && phase !== 'stopping') void this.#runStopSequence(this.#game);
  }

  async #inspect(): Promise<Recovery> {
    const { start, restartInMs = 0 } = this.#options;
    const orphan = await start.record.findOrphan();
    if (orphan && canRecover(orphan)) {
      const run = await recoverRun(orphan, start, () => this.#onReady());
      this.#options.crashes.forgetLoss();
      this.#follow(run, { event: 'recovered', launchedOn: orphan.provisioned });
      if (this.#machine.phase === 'stopping') void this.#runStopSequence(run.game);
      else if (orphan.ready) this.#onReady();
      return 'recovered';
    }
    const rest = await showRest(await start.record.findTerminal(), start);
    const hasEnded = await this.leftovers.endOrphan(rest.end).catch((error: unknown) => {
      rest.leave();
      throw error;
    });
    await rest.end(); // if nothing was on record
    if (start.handedOver && !orphan && this.#machine.state === 'uninspected') {
      await this.#afterUnexpectedEnd(endedUnseen(start.handedOver));
      return 'nothing';
    }
    this.#machine.enter('inspected');
    this.#machine.announce(); // a server that sleeps opens its port
    // A stop may have cancelled the restart while inspections failed.
    const { state } = this.#machine;
    if (state === 'waiting') this.#restartIn(restartInMs);
    if (state === 'restarting') await this.#startAgain();
    if (hasEnded) return 'ended';
    return state === 'waiting' || state === 'restarting' ? 'restarting' : 'nothing';
  }

  /** Throws why no process may be started now. */
  #assertStartable(): void {
    if (isUninspected(this.#machine.state) && this.#inspectionFailure !== undefined) throw this.#inspectionFailure;
    this.#machine.assertAllowed('provision');
    this.leftovers.assertNone();
  }

  /** With `provisioned`, nothing is installed. */
  async #begin(provisioned?: Provisioned): Promise<void> {
    const { terminalSize } = this;
    const onReady = () => this.#onReady();
    const start = new StartContext(this.#options.start, { terminalSize, provisioned, onReady });
    try {
      await runSteps(PREPARATION, start);
      if (hasToProvision(start)) this.#provision(start);
      else await this.#launch(start);
    } catch (error) {
      this.#machine.announce(); // a server that is still asleep gets its port back
      throw error;
    }
  }

  /** Continues outside the mutex: the start is accepted, and its progress shows in console and phase. */
  #provision(start: StartContext): void {
    this.#machine.enter('provision');
    start.calledOff = this.#machine.left;
    const launched = runSteps(PROVISIONING, start).then(() =>
      this.#options.mutex.run(async () => {
        if (start.calledOff.aborted) return;
        // Ports may have been taken, and settings changed, meanwhile.
        await runSteps(PREPARATION, start);
        await this.#launch(start);
      }),
    );
    launched.catch((error: unknown) => {
      if (!start.calledOff.aborted) this.#fail(error);
    });
  }

  async #launch(start: StartContext): Promise<void> {
    await runSteps(LAUNCH, start);
    this.#follow(start.run, { event: 'launch', launchedOn: start.provisioned ?? {} });
    // A caller whose start was accepted may rely on the next supervisor to find the game.
    await start.run.recorded;
  }

  #follow(run: GameRun, { event, launchedOn }: { event: 'launch' | 'recovered'; launchedOn: Provisioned }): void {
    const { game, end, rules } = run;
    this.#game = game;
    this.#rules = rules;
    this.#launchedOn = launchedOn;
    this.#options.crashes.noteStart(game);
    this.#options.pending.follow(run);
    void end.then((how) => this.#options.mutex.run(() => this.#afterEnd(how)));
    this.#machine.enter(event);
  }

  #onReady(): void {
    if (this.#machine.allows('ready')) this.#machine.enter('ready');
  }

  async #runStopSequence(game: GameProcess): Promise<void> {
    const { settings, services } = this.#options.start;
    this.#hurryStop = new AbortController();
    try {
      await stopGame(game, {
        commands: this.#rules?.stopCommands ?? [],
        signal: this.#rules?.stopSignal,
        timeoutMs: settings.current.stopTimeoutSeconds * 1000,
        graceMs: services.stopGraceMs(),
        notice: (text) => services.console.appendNotice(text),
        hurry: this.#hurryStop.signal,
      });
    } catch (error) {
      services.log('error', 'the stop sequence failed; killing the game', { error });
      game.kill();
    }
  }

  async #afterEnd(end: GameEnd): Promise<void> {
    const { console } = this.#options.start.services;
    this.#game = undefined;
    this.#options.pending.forget();
    console.endOfOutput();
    if (end.leftovers.length > 0) {
      console.appendNotice(
        `Still running after the server ended: ${listed(end.leftovers)}. Gamekeeper does not end these processes because they may not belong to the server. Until they have ended, it does not start again. If they belong to it, kill it again.`,
      );
      this.leftovers.show(end.leftovers);
    }
    if (this.#machine.phase !== 'stopping') return this.#afterUnexpectedEnd(end);
    console.appendNotice(`The server has stopped${howItEnded(end)}.`);
    this.#machine.enter('ended');
    if (this.#machine.state === 'restarting') await this.#startAgain();
  }

  /** Starts the new process of a restart. */
  async #startAgain(): Promise<void> {
    try {
      this.#assertStartable();
      await this.#begin();
      this.#options.crashes.forgetRestarts();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #afterUnexpectedEnd(end: GameEnd): Promise<void> {
    const next = await this.#options.crashes.afterEnd(end);
    if (next.verdict === 'rest') return this.#machine.enter('ended');
    if (next.verdict === 'give-up') return this.#machine.enter('gave-up');
    this.#machine.enter('crashed');
    this.#restartIn(next.delayMs);
  }

  /** Restarts after the delay unless the state `waiting` is left before. */
  #restartIn(delayMs: number): void {
    const timer = setTimeout(() => void this.#options.mutex.run(() => this.#restartAutomatically()), delayMs);
    this.#machine.left.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  async #restartAutomatically(): Promise<void> {
    const { assertFolderFree, crashes } = this.#options;
    // The state may have been left after the timer fired, while this waited for the mutex.
    if (this.#machine.state !== 'waiting') return;
    try {
      assertFolderFree();
    } catch {
      return this.#restartIn(LOCKED_RETRY_MS); // for example until a backup has read the folder
    }
    try {
      // Uses the software and Java of the crashed game, since a restart must not depend on other processes.
      this.#assertStartable();
      await this.#begin(this.#launchedOn);
      crashes.noteRestart();
    } catch (error) {
      const next = crashes.afterFailedRestart(error);
      if (next.verdict !== 'restart') return this.#machine.enter('failed');
      this.#restartIn(next.delayMs);
      this.#machine.announce();
    }
  }

  #fail(error: unknown): void {
    this.#options.crashes.noteFailedStart(error);
    this.#machine.enter('failed');
    this.#machine.announce(); // the reason is another one, even if the state is not
  }
}

/** How a game ended that was running when the former supervisor left, and is gone. */
function endedUnseen({ toldToStop }: HandedOver): GameEnd {
  return {
    exitCode: null,
    signal: null,
    announcedStop: toldToStop,
    leftovers: [],
    outOfMemoryKills: false,
    wasReady: true,
  };
}
