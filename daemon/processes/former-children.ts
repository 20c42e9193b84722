import path from 'node:path';
import type { Home } from '../../shared/node/files/home.ts';
import { endRecorded, recordProcess } from '../../shared/node/processes/recorded-process.ts';

export type ChildName = 'gateway' | 'jobs';

/** Puts on record which process the gateway, or jobs, is: should the daemon be killed while that one hangs, the next daemon ends it. */
export function recordChild(home: Home, name: ChildName, pid: number | undefined): Promise<void> {
  return recordProcess(recordOf(home, name), pid);
}

/**
 * Ends a gateway or jobs of a daemon that was killed. They end by themselves when they lose it, unless they hang: then they would keep its
 * ports, and two would write the same backups. To be called by the one who has the home.
 */
export async function endFormerChildren(home: Home): Promise<void> {
  await Promise.all((['gateway', 'jobs'] as const).map((name) => endRecorded(recordOf(home, name))));
}

function recordOf(home: Home, name: ChildName): string {
  return path.join(home.run, `${name}.process`);
}
