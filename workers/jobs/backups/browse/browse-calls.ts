import type { BackupPath, JobsService } from '../../../../shared/contract/jobs.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { PoolTaskName, PoolTasks } from '../../../pool/task-types.ts';
import type { Pool } from '../../resources/pool.ts';
import { type BrowseOptions, withArchive } from './browse.ts';

/** PATH_MAX of Linux. */
const MOST_PATH_BYTES = 4_095;

export interface BrowseCallsOptions extends BrowseOptions {
  readers: Pool;
  /** Ends all downloads. */
  signal: AbortSignal;
}

export type BrowseCalls = Pick<JobsService, 'backupFiles' | 'backupFile' | 'sendBackupFile'>;

/** Reads files out of backups, without unpacking or fetching the rest. */
export function createBrowseCalls({ readers, signal: ending, ...options }: BrowseCallsOptions): BrowseCalls {
  type OfArchive<Name extends PoolTaskName> = Omit<PoolTasks[Name]['task'], 'archive' | 'sourceBytes'>;

  function ask<Name extends 'listEntries' | 'findEntry' | 'sendEntry'>(
    name: Name,
    { task, ...key }: { instanceId: string; backupId: string; task: OfArchive<Name> },
    signal: AbortSignal,
  ): Promise<PoolTasks[Name]['result']> {
    const entry = options.storage.catalogue.get(key);
    const { sourceBytes } = entry;
    return withArchive(
      entry,
      {
        signal,
        work: ({ archive, ports }) =>
          readers.run(name, { ...task, archive, sourceBytes } as PoolTasks[Name]['task'], signal, ports),
      },
      options,
    );
  }

  return {
    async backupFiles({ instanceId, backupId, path, skip, limit }, signal) {
      requirePath(path);
      const task = { path, skip, limit };
      return ask('listEntries', { instanceId, backupId, task }, AbortSignal.any([signal, ending]));
    },
    async backupFile({ instanceId, backupId, path }, signal) {
      requirePath(path);
      return ask('findEntry', { instanceId, backupId, task: { path } }, AbortSignal.any([signal, ending]));
    },
    async sendBackupFile({ instanceId, backupId, path, socket }, signal) {
      requirePath(path);
      const task = { path, socket };
      await ask('sendEntry', { instanceId, backupId, task }, AbortSignal.any([signal, ending]));
    },
  };
}

/** Throws `invalid_path` for what cannot be the path of a file or folder in an archive. */
function requirePath(path: string): void {
  const problem = pathProblem(path);
  if (problem === undefined) return;
  throw new GamekeeperError('invalid_path', `The path ${JSON.stringify(path.slice(0, 200))} ${problem}.`);
}

function pathProblem(path: BackupPath['path']): string | undefined {
  if (path === '') return undefined;
  if (path.includes('\0')) return 'contains a NUL';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/')) return 'begins with "/"';
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return 'is too long';
  const names = path.split('/');
  if (names.includes('')) return 'has an empty name';
  return names.includes('.') || names.includes('..') ? 'contains "." or ".."' : undefined;
}
