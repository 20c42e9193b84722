import type { DatabaseSync } from 'node:sqlite';
import type { InstanceEvent, InstanceRecord } from '../../../../shared/contract/daemon/instances.ts';
import { removeTree } from '../../../../shared/node/files/remove-tree.ts';
import type { Logger } from '../../../../shared/node/logger.ts';

/** What stood in a server's folder before a backup was restored into it. */
export interface PreviousFolder {
  path: string;
  instanceId: string;
  /** Milliseconds since the epoch. */
  replacedAt: number;
}

/**
 * Keeps previous folders until the restored server has shown that it works: until it was seen `running`, ready for players, after a
 * start that came after the restore, or the instance is deleted. (Besides, each has a backup of its own, made just before.)
 */
export interface PreviousFolders {
  add(folder: PreviousFolder): void;
  /** Removes what is no longer needed as instances start, until `signal` fires or nothing is left to wait for. */
  follow(events: (signal: AbortSignal) => AsyncIterable<InstanceEvent>, signal: AbortSignal): Promise<void>;
  /** Removes those of an instance that is no more. */
  forget(instanceId: string): Promise<void>;
}

export function previousFolders(database: DatabaseSync, log: Logger): PreviousFolders {
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
  let following = false;

  async function discard(folder: PreviousFolder): Promise<void> {
    try {
      await removeTree(folder.path);
      remove.run(folder.path);
      log.info({ instance: folder.instanceId }, 'removed the folder from before a restore');
    } catch (error) {
      // It only takes room. The next start of the server tries again.
      log.warn({ err: error, instance: folder.instanceId }, 'the folder from before a restore could not be removed');
    }
  }

  async function discardWhere(isNeedless: (folder: PreviousFolder) => boolean): Promise<void> {
    for (const folder of all()) if (isNeedless(folder)) await discard(folder);
  }

  return {
    add: ({ path, instanceId, replacedAt }) => void insert.run(path, instanceId, replacedAt),
    async follow(events, signal) {
      if (following || all().length === 0) return;
      following = true;
      try {
        for await (const event of events(signal)) {
          await discardWhere(needlessAfter(event));
          if (all().length === 0) return;
        }
      } finally {
        following = false;
      }
    },
    forget: (instanceId) => discardWhere((folder) => folder.instanceId === instanceId),
  };
}

function needlessAfter(event: InstanceEvent): (folder: PreviousFolder) => boolean {
  switch (event.type) {
    case 'removed':
      return (folder) => folder.instanceId === event.id;
    case 'changed':
      return (folder) => proves(event.instance, folder);
    case 'snapshot':
      return (folder) =>
        event.instances.some((instance) => proves(instance, folder)) ||
        !event.instances.some(({ config }) => config.id === folder.instanceId);
  }
}

function proves({ config, runtime }: InstanceRecord, folder: PreviousFolder): boolean {
  return config.id === folder.instanceId && runtime.phase === 'running' && (runtime.startedAt ?? 0) > folder.replacedAt;
}
