import type { Activity, Phase } from './phase.ts';

/** What a supervisor observes of its instance right now; everything that is not configuration. */
export interface InstanceRuntime {
  phase: Phase;
  activity?: Activity;
  /** The game process, while one exists. */
  pid?: number;
  /** Milliseconds since the epoch at which the game process was started. */
  startedAt?: number;
  /** 100 = one core, whole process tree. Present while running. */
  cpuPercent?: number;
  /** Resident memory of the process tree, MiB. Present while running. */
  memoryUsedMb?: number;
  playersOnline?: number;
  maxPlayers?: number;
  /** Names of those who play, as the console has told it, in the order in which they came; at most 500. */
  players?: string[];
  crash?: LastCrash;
}

/** The last crash, as Instance.crash shows it. */
export interface LastCrash {
  at: string;
  exitCode: number | null;
  signal: string | null;
  reason: string;
  restarts: number;
}

/** A crash as it is kept: with the last console lines before it, oldest first, plain and redacted. */
export interface CrashReport extends LastCrash {
  lines: string[];
}
