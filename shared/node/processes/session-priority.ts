import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Lowers the priority of this process's session, `nice` as of nice(1): Linux divides processor time between sessions first, and nice values of
 * processes count only within one (sched(7), "The autogroup feature"). Does nothing on other systems, without autogroups, and in a session
 * that another process leads, for example that of a terminal: all its programs would slow down.
 */
export function lowerSessionPriority(nice: number): void {
  try {
    if (leadsSession()) writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // There are no autogroups, or the system does not allow it.
  }
}

function leadsSession(): boolean {
  // proc_pid_stat(5): the session is the 6th field, the 4th behind the name in parentheses.
  return Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[3]) === process.pid;
}
