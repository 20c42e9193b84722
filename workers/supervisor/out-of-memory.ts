import { readFileSync } from 'node:fs';

/**
 * How many processes the kernel has killed for want of memory since the machine was started (`oom_kill` of /proc/vmstat, Linux 4.13);
 * 0 where it cannot be known.
 */
export function countOutOfMemoryKills(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // a sandbox that hides it
  }
}
