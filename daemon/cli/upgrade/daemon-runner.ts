import type { DaemonProgram } from './candidate.ts';

/** How daemons of one data directory are started: as what the one before was. */
export interface DaemonRunner {
  kind: 'service' | 'background';
  /** Where a daemon says why it does not start. */
  words: string;
  /** Why this user cannot start one, with what to do. */
  obstacle?: string;
  /** Starts a daemon; resolves before it is ready, to how to ask whether it has failed already. */
  start(program: DaemonProgram): Promise<() => boolean | Promise<boolean>>;
}
