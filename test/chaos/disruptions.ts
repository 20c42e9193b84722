import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/machine/until.ts';
import { processesAs } from './found-processes.ts';
import type { KeptDaemon } from './kept-daemon.ts';
import type { Role } from './steps.ts';

/** Kills and pauses processes of one data directory, and of no other. */
export interface Disruptions {
  readonly kills: Readonly<Record<Role, number>>;
  readonly pauses: Readonly<Record<Role, number>>;
  /** Resolves to false where there is nobody to kill just now; a daemon is killed at any moment of its start, too. */
  kill(role: Role, options: { id: string; backAfterMs: number }): Promise<boolean>;
  /** Stops a process and lets it go on later. Resolves to false where there is none. */
  pause(role: Role, options: { id: string; forMs: number }): Promise<boolean>;
  /** Lets everybody go on. */
  resumeAll(): void;
}

const NOBODY: Readonly<Record<Role, number>> = { daemon: 0, gateway: 0, jobs: 0, supervisor: 0, game: 0 };

export function createDisruptions(home: string, daemon: KeptDaemon): Disruptions {
  const kills = { ...NOBODY };
  const pauses = { ...NOBODY };
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
        await until('it is gone', () => processesAs(role, { home, id }).every((other) => other.pid !== pid));
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
    // It has ended by itself since.
  }
}
