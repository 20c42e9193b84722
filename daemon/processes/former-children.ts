import path from 'node:path';
import { removeUnfinishedWrites } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { endRecorded, recordProcess } from '../../shared/node/processes/recorded-process.ts';

const CHILDREN = ['gateway', 'jobs', 'files', 'sftp'] as const;
export type ChildName = (typeof CHILDREN)[number];

/** Records the process of a child: if the daemon is killed while that one hangs, the next daemon ends it. */
export function recordChild(home: Home, name: ChildName, pid: number | undefined): Promise<void> {
  return recordProcess(recordOf(home, name), pid);
}

/**
 * Ends the children of a daemon that was killed. They exit when they lose the daemon, unless they hang: then they would keep its
 * ports, and two jobs processes would write the same backups. The caller must hold the home's lock.
 */
export async function endFormerChildren(home: Home): Promise<void> {
  const records = CHILDREN.map((name) => recordOf(home, name));
  await Promise.all(records.map((record) => endRecorded(record)));
  await removeUnfinishedWrites(
    home.run,
    records.map((record) => path.basename(record)),
  );
}

function recordOf(home: Home, name: ChildName): string {
  return path.join(home.run, `${name}.process`);
}
