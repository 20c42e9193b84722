import type { Provisioned } from '../../../shared/contract/jobs.ts';

/** A line for whoever watches an installation. */
export interface Step {
  progress: string;
}

/** Work that says what it does while it does it. */
export type Steps<Result> = AsyncGenerator<Step, Result>;

/** What an installation yields: lines, and last the result. */
export type Provision = Step | { done: Provisioned };

/** `51 MB`, as in lines for people. */
export function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
