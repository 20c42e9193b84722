import type { BackOff } from '../../../shared/domain/back-off.ts';
import type { CrashReport, LastCrash } from '../../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameEnd } from '../game/watch-game.ts';
import { LAST_LINES } from '../lifecycle/start-game.ts';
import type { Log } from '../own-process/process-log.ts';
import { CrashHistory } from './crash-history.ts';
import type { Verdict } from './crash-policy.ts';
import { exitReason, REASON_LINES } from './exit-reason.ts';

export interface CrashHandlerOptions {
  config: () => InstanceConfig;
  console: {
    notice: (text: string) => void;
    lastLines(count: number): Promise<string[]>;
    redact(text: string): string;
    /** What has gone through so far. */
    counts(): { lines: number };
  };
  /** Puts a crash on record. */
  recordCrash: (crash: CrashReport) => Promise<void>;
  restartBackOff: BackOff;
  /** The last one before this supervisor, where nobody has started the server since. */
  crash?: LastCrash;
  log: Log;
}

/** Finds out why a game has ended that nobody has asked to, says it, puts it on record, and decides by the crash policy what follows. */
export class CrashHandler {
  readonly #options: CrashHandlerOptions;
  readonly #history: CrashHistory;
  /** Why the game is being ended because it hangs. */
  #hangReason: string | undefined;
  /** How many lines the console had had before the game. */
  #linesBefore = 0;

  constructor(options: CrashHandlerOptions) {
    this.#options = options;
    this.#history = new CrashHistory(options.restartBackOff, options.crash);
  }

  get last(): LastCrash | undefined {
    return this.#history.last;
  }

  /** Call this with each new game process: only its own output can explain its end. For a recovered game, that is all output. */
  noteStart(game: GameProcess): void {
    this.#hangReason = undefined;
    this.#linesBefore = game.isRecovered ? Number.NEGATIVE_INFINITY : this.#options.console.counts().lines;
  }

  /** Call this when a request started the server: earlier restarts no longer count. */
  forgetRestarts(): void {
    this.#history.forgetRestarts();
  }

  /** Call this after each automatic restart. */
  noteRestart(): void {
    this.#history.noteRestart();
  }

  /** Call this before ending a game that hangs: its end is a crash for this reason. */
  noteHang(reason: string): void {
    this.#hangReason = reason;
  }

  /** Records the unexpected end of the game, if it is a crash, and returns what follows. */
  async afterEnd(end: GameEnd): Promise<Verdict> {
    const hangReason = this.#hangReason;
    const { config, console } = this.#options;
    const { crashPolicy: policy, memoryMb } = config();
    const failed = (end.exitCode !== 0 && !end.announcedStop) || hangReason !== undefined;
    const verdict = this.#history.judge({ ...end, policy, failed });
    if (verdict.verdict === 'rest') {
      console.notice('The server has ended by itself.');
      return verdict;
    }
    const own = Math.min(console.counts().lines - this.#linesBefore, REASON_LINES);
    const lines = await console.lastLines(Math.max(own, LAST_LINES)).catch(() => []); // a log that cannot be read costs the reason, no more
    const lastLines = lines.slice(Math.max(0, lines.length - own));
    const why = hangReason ?? exitReason({ ...end, memoryMb, lastLines });
    const crash = this.#history.noteCrash({ ...end, policy }, why);
    const { reason, restarts } = crash;
    await this.#keep({ ...crash, lines: lines.slice(-LAST_LINES) });
    if (verdict.verdict === 'give-up') {
      console.notice(`The server has crashed: ${reason}`);
      return verdict;
    }
    console.notice(`The server has crashed: ${reason} ${this.#announcement(restarts, verdict)}`);
    return verdict;
  }

  /** A start by itself cannot be. What stands in its way, such as a port that is not free yet, may pass, so it counts like one that crashed. */
  afterFailedRestart(error: unknown): Verdict {
    this.#history.noteRestart();
    this.noteFailedStart(error);
    const { crashPolicy: policy } = this.#options.config();
    const verdict = this.#history.judge({ failed: true, wasReady: false, policy });
    if (verdict.verdict === 'restart')
      this.#options.console.notice(this.#announcement(this.#history.restartsWithin(policy), verdict));
    return verdict;
  }

  #announcement(restarts: number, { delayMs }: { delayMs: number }): string {
    const seconds = Math.max(1, Math.round(delayMs / 1000));
    return `Restart ${restarts + 1} of ${this.#options.config().crashPolicy.maxRestarts} in ${seconds} s.`;
  }

  /** A start that had been accepted cannot be. */
  noteFailedStart(error: unknown): void {
    const { console, log } = this.#options;
    if (!(error instanceof GamekeeperError)) log('error', 'the start failed', { error });
    const crash = this.#history.noteFailure(error, console.redact); // it may quote an installer
    void this.#keep({ ...crash, lines: [] });
    console.notice(`The server could not be started: ${crash.reason}`);
  }

  async #keep(crash: CrashReport): Promise<void> {
    const { recordCrash, log } = this.#options;
    await recordCrash(crash).catch((error: unknown) => log('error', 'a crash could not be put on record', { error }));
  }
}
