import type { DaemonProgram } from './candidate.ts';

/** Starts a daemon in the same way as the running one. */
export interface DaemonRunner {
  kind: 'service' | 'background';
  /** Where a daemon logs why it did not start: a file or a command. */
  log: string;
  /** Why this user cannot start one, and what to do. */
  obstacle?: string;
  /** Starts a daemon. Resolves before it is ready, to a function that returns whether it has failed. */
  start(program: DaemonProgram): Promise<() => boolean | Promise<boolean>>;
}
