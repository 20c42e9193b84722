import type { Provisioned } from '../../../shared/contract/jobs.ts';

/** A progress line of an installation. */
export interface Step {
  progress: string;
}

export type Steps<Result> = AsyncGenerator<Step, Result>;

export type Provision = Step | { done: Provisioned };

/** Does the work without showing its progress lines. */
export async function resultOf<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}

/** Returns a size for progress lines: `51 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
