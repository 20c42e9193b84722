import { type Activity, isUp, type Phase } from './phase.ts';
import type { PortUse } from './port-use.ts';

/** What a supervisor observes of its instance right now; everything that is not configuration. */
export interface InstanceRuntime {
  phase: Phase;
  activity?: Activity;
  degraded?: Degradation;
  /** The game process, while one exists. */
  pid?: number;
  /** Milliseconds since the epoch at which the game process was started. */
  startedAt?: number;
  /** Absolute path of the Java that its process runs on, or will be started on again after a crash; null: none of ours. */
  javaProgram?: string | null;
  /** 100 = one core, whole process tree. Present while running. */
  cpuPercent?: number;
  /** Resident memory of the process tree, MiB. Present while running. */
  memoryUsedMb?: number;
  /** Mean work of one tick, milliseconds, as the server told lately over RCON. */
  tickTimeMs?: number;
  /** Ticks per second, 20 where the server keeps up. */
  tps?: number;
  playersOnline?: number;
  maxPlayers?: number;
  /** Names of those who play, as the console has told it, in the order in which they came; at most 500. */
  players?: string[];
  /** Leased for it, from the start until it has ended. */
  ports?: PortUse[];
  crash?: LastCrash;
}

/** True for what its owner takes to be up: it runs, sleeps until somebody wants to play, or is started again after a crash in a moment. */
export function isToRun({ phase, javaProgram }: Pick<InstanceRuntime, 'phase' | 'javaProgram'>): boolean {
  return isUp(phase) || (phase === 'crashed' && javaProgram !== undefined);
}

/**
 * What is not as it should be with how an instance is looked after:
 * - `taken-over`: its supervisor was killed and the game went on; the console is the game's own log, commands go over RCON, until the next start
 * - `unresponsive`: its supervisor lives but does not answer; phase and stats are the last that are known
 * - `incompatible`: its supervisor is of a version of Gamekeeper that this one cannot talk to
 */
export const DEGRADATIONS = ['taken-over', 'unresponsive', 'incompatible'] as const;
export type Degradation = (typeof DEGRADATIONS)[number];

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
