import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/machine/until.ts';
import { processesAs } from '../system/processes.ts';
import type { RespawningDaemon } from '../system/respawning-daemon.ts';
import type { Role } from './steps.ts';

/** Kills and pauses the processes of one data directory. */
export interface Disruptions {
  readonly kills: Readonly<Record<Role, number>>;
  readonly pauses: Readonly<Record<Role, number>>;
  /** Resolves to false if no such process exists now. A daemon may also be killed while it starts. */
  kill(role: Role, options: { id: string; backAfterMs: number }): Promise<boolean>;
  /** Sends SIGSTOP, and SIGCONT later. Resolves to false if no such process exists now or it is already paused. */
  pause(role: Role, options: { id: string; forMs: number }): Promise<boolean>;
  /** Sends SIGCONT to every paused process. */
  resumeAll(): void;
}

const NONE: Readonly<Record<Role, number>> = { daemon: 0, gateway: 0, jobs: 0, supervisor: 0, game: 0 };

export function createDisruptions(home: string, daemon: RespawningDaemon): Disruptions {
  const kills = { ...NONE };
  const pauses = { ...NONE };
  const paused = new Set<number>();

  function find(role: Role, id: string): number | undefined {
    if (role === 'daemon') return daemon.pid();
    return processesAs(role, { home, id })[0]?.pid;
  }

  function resume(pid: number): void {
    if (paused.delete(pid)) signal(pid, 'SIGCONT');
  }

  return {
    kills,
    pauses,
    async kill(role, { id, backAfterMs }) {
      const pid = find(role, id);
      if (pid === undefined) return false;
      kills[role]++;
      paused.delete(pid);
      if (role === 'daemon') await daemon.kill(backAfterMs);
      else {
        signal(pid, 'SIGKILL');
        await until('the process is gone', () => processesAs(role, { home, id }).every((other) => other.pid !== pid));
      }
      return true;
    },
    async pause(role, { id, forMs }) {
      const pid = find(role, id);
      if (pid === undefined || paused.has(pid)) return false;
      pauses[role]++;
      paused.add(pid);
      signal(pid, 'SIGSTOP');
      void sleep(forMs, undefined, { ref: false }).then(() => resume(pid));
      return true;
    },
    resumeAll() {
      for (const pid of paused) resume(pid);
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended since.
  }
}
