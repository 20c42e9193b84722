import type { BackOff } from '../../../shared/domain/back-off.ts';
import type { CrashReport, LastCrash } from '../../../shared/domain/instance/runtime.ts';
import { GamekeeperError, toCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameEnd } from '../game/watch-game.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import { runsOnJava } from '../lifecycle/launch-plan.ts';
import type { Log } from '../own-process/process-log.ts';
import { UnusableProgram } from '../process/unusable-program.ts';
import { CRASH_LINES, type CrashFile } from './crash-file.ts';
import { CrashHistory, type FormerCrashes } from './crash-history.ts';
import type { Verdict } from './crash-policy.ts';
import { exitReason, REASON_LINES } from './exit-reason.ts';

export interface CrashHandlerOptions {
  settings: InstanceSettings;
  console: Pick<ConsoleLog, 'appendNotice' | 'lastLines' | 'redact' | 'counts' | 'lineNumber'>;
  file: CrashFile;
  restartBackOff: BackOff;
  /** Of the previous supervisor: the last crash, unless a request has started the server since. */
  former: FormerCrashes;
  log: Log;
}

/** Explains an unexpected end of the game, records it, and applies the crash policy. */
export class CrashHandler {
  readonly #options: CrashHandlerOptions;
  readonly #history: CrashHistory;
  /** The reason for ending the game, if it hangs. */
  #hangReason: string | undefined;
  /** The number of console lines before the game started. */
  #linesBefore = 0;

  constructor(options: CrashHandlerOptions) {
    this.#options = options;
    this.#history = new CrashHistory(options.restartBackOff, options.former);
  }

  get last(): LastCrash | undefined {
    return this.#history.last;
  }

  get restartedMsAgo(): number[] {
    return this.#history.restartedMsAgo;
  }

  /** Call this with each new game process: only its own output can explain its end, and no failed start is shown any more. */
  noteStart(game: GameProcess): void {
    this.#hangReason = undefined;
    this.#history.forgetFailure();
    const { counts, lineNumber } = this.#options.console;
    const printed = game.isRecovered ? lineNumber() - (game.linesBefore ?? 0) : 0;
    this.#linesBefore = counts().lines - printed;
  }

  /** Call this when a request started the server: earlier restarts no longer count. */
  forgetRestarts(): void {
    this.#history.forgetRestarts();
  }

  noteRestart(): void {
    this.#history.noteRestart();
  }

  /** Call this before ending a game that hangs: its end is a crash for this reason. */
  noteHang(reason: string): void {
    this.#hangReason = reason;
  }

  /** Records the unexpected end of the game if it is a crash. Returns what follows by the crash policy. */
  async afterEnd(end: GameEnd): Promise<Verdict> {
    const { settings, console } = this.#options;
    const hangReason = this.#hangReason;
    const { crashPolicy: policy, memoryMb } = settings.current;
    const failed = (end.exitCode !== 0 && !end.announcedStop) || hangReason !== undefined;
    const verdict = this.#history.judge({ ...end, policy, failed });
    if (verdict.verdict === 'rest') {
      console.appendNotice('The server has shut down.');
      return verdict;
    }
    const own = Math.min(console.counts().lines - this.#linesBefore, REASON_LINES);
    const lastLines = await console.lastLines(own).catch(() => []); // without the log, only the reason is less precise
    const crash = this.#history.noteCrash(
      { ...end, policy },
      hangReason === undefined
        ? exitReason({ ...end, memoryMb, lastLines, java: runsOnJava(settings.current) })
        : { reason: hangReason },
    );
    await this.#record({ ...crash, lines: lastLines.slice(-CRASH_LINES) });
    const restart = verdict.verdict === 'restart' ? ` ${this.#announcement(crash.restarts, verdict)}` : '';
    console.appendNotice(`The server has crashed: ${crash.reason}${restart}`);
    return verdict;
  }

  /**
   * Records a failed automatic restart. It counts like a crash, since the cause (such as a port that is not free yet) may go away. A full
   * disk does not count: however long it takes to free some space, the server then comes back. Without its program, it stays down.
   */
  afterFailedRestart(error: unknown): Verdict {
    if (toCodedFailure(error).code === 'insufficient_storage') this.#history.noteRefusal();
    else this.#history.noteRestart();
    this.noteFailedStart(error);
    if (error instanceof UnusableProgram) return { verdict: 'give-up' };
    const { crashPolicy: policy } = this.#options.settings.current;
    const verdict = this.#history.judge({ failed: true, wasReady: false, policy });
    if (verdict.verdict === 'restart')
      this.#options.console.appendNotice(this.#announcement(this.#history.restartsWithin(policy), verdict));
    return verdict;
  }

  /** A failed start is shown with the state of the server. It is no crash, so no report is kept. */
  noteFailedStart(error: unknown): void {
    const { console, log } = this.#options;
    if (!(error instanceof GamekeeperError)) log('error', 'the start failed', { error });
    const { reason } = this.#history.noteFailure(error, (text) => console.redact(text)); // it may quote an installer
    console.appendNotice(`The server could not be started: ${reason}`);
  }

  /** Call this when the game of a lost supervisor goes on: nothing has crashed. */
  forgetLoss(): void {
    this.#history.forgetLast();
  }

  /** Records that the previous supervisor was lost, and the game with it. */
  async noteLostSupervisor(): Promise<void> {
    await this.#record({
      at: new Date().toISOString(),
      exitCode: null,
      signal: null,
      reason: 'The process that supervises the server ended unexpectedly.',
      restarts: 0,
      lines: await this.#options.console.lastLines(CRASH_LINES),
    });
  }

  #announcement(restarts: number, { delayMs }: { delayMs: number }): string {
    const seconds = Math.max(1, Math.round(delayMs / 1000));
    return `Restart ${restarts + 1} of ${this.#options.settings.current.crashPolicy.maxRestarts} in ${seconds} s.`;
  }

  async #record(crash: CrashReport): Promise<void> {
    const { file, log } = this.#options;
    await file.add(crash).catch((error: unknown) => log('error', 'a crash could not be recorded', { error }));
  }
}
