import type { DatabaseSync } from 'node:sqlite';
import type { InstanceEvent, InstanceRecord } from '../../../../shared/contract/daemon/instances.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import type { Logger } from '../../../../shared/node/logger.ts';

export interface PreviousFolder {
  path: string;
  instanceId: string;
  /** Milliseconds since the epoch. */
  replacedAt: number;
}

/**
 * Keeps previous folders until the restored server is known to work, that is until it is `running` after a start that came after the
 * restore, or until the instance is deleted. (Each also has a backup, made just before the restore.)
 */
export interface PreviousFolders {
  add(folder: PreviousFolder): void;
  /** Watches instances, and removes folders as they are no longer needed. Does nothing if no folder is kept, or if it watches already. */
  watchStarts(): void;
  forget(instanceId: string): Promise<void>;
}

export interface PreviousFoldersOptions {
  database: DatabaseSync;
  watchInstances(signal: AbortSignal): AsyncIterable<InstanceEvent>;
  signal: AbortSignal;
  log: Logger;
}

export function createPreviousFolders({
  database,
  watchInstances,
  signal,
  log,
}: PreviousFoldersOptions): PreviousFolders {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO backup_previous_folder (path, instance_id, replaced_at) VALUES (?, ?, ?)',
  );
  const select = database.prepare('SELECT path, instance_id, replaced_at FROM backup_previous_folder');
  const remove = database.prepare('DELETE FROM backup_previous_folder WHERE path = ?');
  const all = (): PreviousFolder[] =>
    select.all().map((row) => ({
      path: String(row.path),
      instanceId: String(row.instance_id),
      replacedAt: Number(row.replaced_at),
    }));
  let watching = false;

  async function discard(folder: PreviousFolder): Promise<void> {
    try {
      await removeTree(folder.path);
      remove.run(folder.path);
      log.info({ instance: folder.instanceId }, 'removed the folder from before a restore');
    } catch (error) {
      // It only takes up disk space. The server's next start tries again.
      log.warn({ err: error, instance: folder.instanceId }, 'could not remove the folder from before a restore');
    }
  }

  async function discardIf(isObsolete: (folder: PreviousFolder) => boolean): Promise<void> {
    for (const folder of all()) if (isObsolete(folder)) await discard(folder);
  }

  async function watch(): Promise<void> {
    if (watching || all().length === 0) return;
    watching = true;
    try {
      for await (const event of watchInstances(signal)) {
        await discardIf(obsoleteAfter(event));
        if (all().length === 0) return;
      }
    } finally {
      watching = false;
    }
  }

  return {
    add: ({ path, instanceId, replacedAt }) => void insert.run(path, instanceId, replacedAt),
    watchStarts() {
      // The daemon is gone, and this process is about to end too.
      watch().catch((error: unknown) => log.debug({ err: error }, 'no longer watching instances'));
    },
    forget: (instanceId) => discardIf((folder) => folder.instanceId === instanceId),
  };
}

function obsoleteAfter(event: InstanceEvent): (folder: PreviousFolder) => boolean {
  switch (event.type) {
    case 'removed':
      return (folder) => folder.instanceId === event.id;
    case 'changed':
      return (folder) => hasStartedSince(event.instance, folder);
    case 'snapshot':
      return (folder) =>
        event.instances.some((instance) => hasStartedSince(instance, folder)) ||
        !event.instances.some(({ config }) => config.id === folder.instanceId);
  }
}

function hasStartedSince({ config, runtime }: InstanceRecord, folder: PreviousFolder): boolean {
  return config.id === folder.instanceId && runtime.phase === 'running' && (runtime.startedAt ?? 0) > folder.replacedAt;
}
