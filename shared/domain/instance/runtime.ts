import type { TunnelStatus } from '../tunnel/tunnel-status.ts';
import { type Activity, isUp, type Phase } from './phase.ts';
import type { PortChange, PortUse } from './port-use.ts';

/** What a supervisor observes of its instance: everything that is not configuration. */
export interface InstanceRuntime {
  phase: Phase;
  activity?: Activity;
  degraded?: Degradation;
  /** Processes that the game may have started and that outlived it; at most 50. */
  leftovers?: { pid: number; command: string }[];
  pid?: number;
  /** Start of the game process, milliseconds since the epoch. */
  startedAt?: number;
  /** The same moment on the machine's monotonic clock (uptime.ts). */
  startedMonotonicMs?: number;
  /** Absolute path of the Java that the process runs on, or is restarted on after a crash; null: none that Gamekeeper installed. */
  javaProgram?: string | null;
  /** Of the whole process tree; 100 is one core. Present while running. */
  cpuPercent?: number;
  /** Resident memory of the process tree, MiB. Present while running. */
  memoryUsedMb?: number;
  /** Free space on the disk of the server's folder. Present while running, unless it is unknown. */
  diskFreeBytes?: number;
  /** Mean duration of a tick, milliseconds, as last reported over RCON. */
  tickTimeMs?: number;
  /** Ticks per second; 20 if the server keeps up. */
  tps?: number;
  playersOnline?: number;
  maxPlayers?: number;
  /** Names of the players online, from the console, in the order of joining; at most 500. */
  players?: string[];
  /** Leased from the start until the process has ended. */
  ports?: PortUse[];
  /** Absent: no tunnel is set up, or the server is down. */
  tunnel?: TunnelStatus;
  crash?: LastCrash;
  /** Changes since the start of the game process that only the next start applies. Absent: none. */
  pendingRestart?: PendingChange[];
  /** Present if the server restarts once nobody is online. */
  restartWhenEmpty?: true;
}

/** A setting, by its name in the API. Values are texts, '' if there is none; absent if they are secret or long. */
export interface PendingChange {
  setting: string;
  /** The value that the game process was started with. */
  running?: string;
  configured?: string;
}

/** Returns true if the instance runs, sleeps until a player joins, or is about to be restarted after a crash. */
export function isToRun({ phase, javaProgram }: Pick<InstanceRuntime, 'phase' | 'javaProgram'>): boolean {
  return isUp(phase) || (phase === 'crashed' && javaProgram !== undefined);
}

/**
 * Problems that limit what Gamekeeper can do with an instance at the moment:
 * - `taken-over`: the game survived its supervisor. Until the next start the console shows the game's own log, and commands go over RCON
 * - `leftovers`: the game has ended, but processes that it may have started still run (`leftovers`)
 * - `unresponsive`: the supervisor lives but does not answer; phase and stats are the last known ones
 * - `incompatible`: this version cannot talk to the supervisor's version
 */
export const DEGRADATIONS = ['taken-over', 'leftovers', 'unresponsive', 'incompatible'] as const;
export type Degradation = (typeof DEGRADATIONS)[number];

export interface LastCrash {
  at: string;
  exitCode: number | null;
  signal: string | null;
  reason: string;
  restarts: number;
  /** The setting of the instance that the reason asks to change. */
  setting?: CrashSetting;
  /** Set if this was no crash. */
  failedStart?: FailedStart;
}

export const CRASH_SETTINGS = ['memoryMb', 'javaVersion'] as const;
export type CrashSetting = (typeof CRASH_SETTINGS)[number];

/** A start that failed before there was a process. */
export interface FailedStart {
  /** As in error responses. */
  code: string;
  /** Of `port_in_use`: a change that lets the server start. */
  portChange?: PortChange;
}

/** A crash with the last console lines before it, oldest first, without colour codes, redacted. */
export interface CrashReport extends LastCrash {
  lines: string[];
}
