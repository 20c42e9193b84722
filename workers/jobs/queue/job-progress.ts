import { Progress } from '../../pool/progress.ts';

export interface Phase {
  /** The counters. Once they announce a total, it replaces the estimate. */
  readonly progress: Progress;
  /** Ends the phase: bytes of the estimate that were not needed no longer count. */
  end(): void;
}

/**
 * The progress of a job: the sum of its phases, which may count in different threads. All phases are announced before the first begins, or
 * the percentage would restart with each of them.
 */
export class JobProgress {
  #phases: { progress: Progress; estimate: number; ended: boolean }[] = [];
  #sums: { done: number; total: number } | undefined;

  phase(estimate: number): Phase {
    const part = { progress: new Progress(), estimate, ended: false };
    this.#phases.push(part);
    return {
      progress: part.progress,
      end() {
        part.ended = true;
      },
    };
  }

  /** Keeps the sums as they are and drops the phases, of which a modpack has thousands. */
  end(): void {
    const { done, total } = this;
    this.#sums = { done, total };
    this.#phases = [];
  }

  get done(): number {
    if (this.#sums) return this.#sums.done;
    return this.#phases.reduce((sum, { progress }) => sum + progress.done, 0);
  }

  get total(): number {
    if (this.#sums) return this.#sums.total;
    return this.#phases.reduce((sum, { progress, estimate, ended }) => {
      const expected = progress.total || estimate;
      return sum + Math.max(progress.done, ended ? 0 : expected);
    }, 0);
  }
}
