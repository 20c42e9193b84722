import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import type { ReplicaState } from '../../../../../shared/domain/backups/cloud-status.ts';
import type { Backup } from '../../../../../shared/schema/backup.ts';
import type { TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill } from '../../../pool/round-trip.ts';

export const ID = { instanceId: 'survival' };
export const SURVIVAL = { ...ID, cloudReplicate: true, reason: 'manual' } as const;

/** A folder store that is set up. */
export function folderStore(t: Test, name = 'nas') {
  const directory = path.join(temporaryFolder(t), name);
  mkdirSync(directory);
  writeFileSync(path.join(directory, '.gamekeeper-store'), '');
  return { name, kind: 'folder' as const, directory };
}

/** Returns the names of an instance's copies in a folder store. */
export function copiesIn({ directory }: { directory: string }, instanceId = 'survival'): string[] {
  const folder = path.join(directory, instanceId);
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** Writes a world with unique content. */
export function makeWorld({ home }: TestJobs, bytes = 200_000): string {
  return fill(home.instanceDirectory('survival'), {
    'world/region/r.0.0.mca': randomBytes(bytes),
    'world/level.dat': 'then',
    'server.properties': 'motd=hi\n',
  });
}

/** Makes a backup and returns its key. */
export async function backUp(jobs: TestJobs, more: { cloudReplicate?: boolean; reason?: 'schedule' } = {}) {
  const { backupId } = await jobs.done(jobs.call.startBackup({ ...SURVIVAL, ...more }));
  return { ...ID, backupId: backupId! };
}

/** Waits for these states of the copies, in the order of the stores' names. */
export function copiesAre(
  jobs: TestJobs,
  key: { instanceId: string; backupId: string },
  ...states: ReplicaState[]
): Promise<Backup> {
  let last: Backup | undefined;
  return until(
    `the copies are ${states.join(', ')}`,
    async () => {
      last = await jobs.call.backup(key);
      return last.replicas.map(({ state }) => state).join() === states.join() && last;
    },
    { describe: () => last },
  );
}
