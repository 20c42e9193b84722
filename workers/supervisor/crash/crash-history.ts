import type { BackOff } from '../../../shared/domain/back-off.ts';
import type { LastCrash } from '../../../shared/domain/instance/runtime.ts';
import { toCodedFailure } from '../../../shared/errors/gamekeeper-error.ts';
import type { CrashPolicy } from '../../../shared/schema/instance.ts';
import { PortInUse } from '../ports/port-in-use.ts';
import { judgeEnd, restartsInWindow, type UnexpectedEnd, type Verdict } from './crash-policy.ts';
import type { ExitReason } from './exit-reason.ts';

export interface CrashedGame {
  exitCode: number | null;
  signal: string | null;
  policy: CrashPolicy;
}

/** What is known from the former supervisor. */
export interface FormerCrashes {
  last?: LastCrash | undefined;
  restartedMsAgo?: readonly number[] | undefined;
}

/** The last crash, the automatic restarts before it, and a failed start after it. */
export class CrashHistory {
  readonly #backOff: BackOff;
  /** Times of a monotonic clock, milliseconds. */
  #restartedAt: number[] = [];
  /** Attempts in a row that the machine refused. They delay the next one, but do not use up the policy's restarts. */
  #refusals = 0;
  #crash: LastCrash | undefined;
  #failedStart: LastCrash | undefined;

  constructor(backOff: BackOff, { last, restartedMsAgo = [] }: FormerCrashes = {}) {
    this.#backOff = backOff;
    if (last?.failedStart) this.#failedStart = last;
    else this.#crash = last;
    this.#restartedAt = restartedMsAgo.map((ago) => performance.now() - ago);
  }

  get restartedMsAgo(): number[] {
    return this.#restartedAt.map((at) => performance.now() - at);
  }

  get last(): LastCrash | undefined {
    return this.#failedStart ?? this.#crash;
  }

  forgetRestarts(): void {
    this.#restartedAt = [];
    this.#refusals = 0;
  }

  noteRestart(): void {
    this.#restartedAt.push(performance.now());
    this.#refusals = 0;
  }

  /** Call this instead of `noteRestart` if the disk was too full for the restart, which is not the server's fault. */
  noteRefusal(): void {
    this.#refusals += 1;
  }

  judge(end: Pick<UnexpectedEnd, 'failed' | 'wasReady' | 'policy'>): Verdict {
    return judgeEnd({
      failed: end.failed,
      wasReady: end.wasReady,
      policy: end.policy,
      backOff: this.#backOff,
      restartedAt: this.#restartedAt,
      refusals: this.#refusals,
      now: performance.now(),
      jitter: Math.random(),
    });
  }

  restartsWithin(policy: CrashPolicy): number {
    return restartsInWindow(this.#restartedAt, policy, performance.now());
  }

  noteCrash({ exitCode, signal, policy }: CrashedGame, why: ExitReason): LastCrash {
    const restarts = this.restartsWithin(policy);
    this.#crash = { at: new Date().toISOString(), exitCode, signal, restarts, ...why };
    return this.#crash;
  }

  /** Records a failed start. An unexpected error is shown without its message, which may contain private data. */
  noteFailure(error: unknown, redact: (text: string) => string): LastCrash {
    const { code, detail, resolution } = toCodedFailure(error);
    const reason = code === 'internal_error' ? detail : `${detail} ${resolution}`;
    const portChange = error instanceof PortInUse ? error.change : undefined;
    this.#failedStart = {
      ...{ at: new Date().toISOString(), exitCode: null, signal: null, reason: redact(reason) },
      restarts: this.#restartedAt.length,
      failedStart: { code, ...(portChange && { portChange }) },
    };
    return this.#failedStart;
  }

  /** Call this once the server has started: the crash before the failed start is the last one again. */
  forgetFailure(): void {
    this.#failedStart = undefined;
  }

  forgetLast(): void {
    this.#crash = undefined;
    this.#failedStart = undefined;
  }
}
