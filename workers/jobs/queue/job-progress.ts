import { Progress } from '../../pool/progress.ts';

/** One part of a job's work. */
export interface Phase {
  /** What the work counts in. What it expects there replaces the estimate. */
  readonly progress: Progress;
  /** Nothing more comes: what was not needed does not count any more. */
  end(): void;
}

/**
 * How far a job is: the sum of its phases, which may count in different threads. A job announces all its phases before the first
 * begins, so that its percentage does not start anew with each of them.
 */
export class JobProgress {
  readonly #phases: { progress: Progress; estimate: number; ended: boolean }[] = [];

  /** Announces work of about so many bytes. */
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

  get done(): number {
    return this.#phases.reduce((sum, { progress }) => sum + progress.done, 0);
  }

  get total(): number {
    return this.#phases.reduce((sum, { progress, estimate, ended }) => {
      const expected = progress.total || estimate;
      return sum + Math.max(progress.done, ended ? 0 : expected);
    }, 0);
  }
}
