import path from 'node:path';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { assertRestored } from '../../shared/node/files/assert-restored.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { mountInside } from '../../shared/node/files/mount-points.ts';
import { removeTree } from '../../shared/node/files/remove-tree.ts';
import type { DeletedFolders } from './deleted-folders.ts';
import { requireStopped, type Stoppable } from './require-stopped.ts';

export interface Deletion extends Stoppable {
  folders: Pick<DeletedFolders, 'take'>;
  /** Ends the instance's jobs; also removes its backups and the list of its mods if asked. */
  forgetWork(what: { instanceId: string; backups: boolean; mods: boolean }): Promise<void>;
  /** Runs a step during which no instance is created or changed. */
  exclusively(step: () => Promise<void>): Promise<void>;
}

/**
 * Deletes a stopped instance: its jobs and backups first, then its folder, so that after a failure it can be deleted again. Throws
 * `invalid_state` unless it is stopped, `already_in_progress` while a restore is unfinished, `invalid_request` for the files of a folder that Gamekeeper did not create.
 */
export async function deleteInstance(
  { id, files, backups }: { id: string; files: 'keep' | 'delete'; backups: 'keep' | 'delete' },
  { home, registry, supervisors, folders, forgetWork, exclusively }: Deletion,
): Promise<void> {
  const { config } = registry.get(id);
  if (files === 'delete' && !config.managed)
    throw new GamekeeperError(
      'invalid_request',
      `files: Gamekeeper did not create the folder of "${id}" and does not delete it.`,
      { resolution: `Delete the instance with files=keep. Then you can delete ${config.directory} yourself.` },
    );
  await requireStopped(id, 'can be deleted', { home, registry, supervisors });
  assertRestored(home, id);
  if (files === 'delete') await assertNothingMounted(home.instanceDirectory(id));
  await supervisors.retire(id);

  // A managed folder that is kept belongs to the next instance with this id, and so does its list of mods. Other folders do not.
  const mods = files === 'delete' || !config.managed;
  await forgetWork({ instanceId: id, backups: backups === 'delete', mods });
  if (files === 'delete') await folders.take(id);
  await exclusively(async () => {
    registry.remove(id);
    await removeRecords(home, { id, files });
  });
}

async function removeRecords(home: Home, { id, files }: { id: string; files: 'keep' | 'delete' }): Promise<void> {
  const records = [home.supervisorRecord, home.gameRecord, home.intentRecord];
  const marks = [...records, home.supervisorSocket, home.worldLockMark, home.restartMark].map((of) => of(id));
  const leftovers = [...marks, path.join(home.logs, 'supervisors', `${id}.log`)];
  const logs = home.consoleLogDirectory(id);
  // The console log stays with the files; the crashes, players and bans are not those of a later instance with this id.
  const own = ['crashes.json', 'players.json', 'ban-ends.json'].map((name) => path.join(logs, name));
  leftovers.push(...(files === 'delete' ? [logs] : own));
  for (const leftover of leftovers) await removeTree(leftover);
}

/** What is mounted in the folder is not a part of it, and would be emptied with it. */
async function assertNothingMounted(folder: string): Promise<void> {
  const mount = await mountInside(folder);
  if (mount !== undefined)
    throw new GamekeeperError(
      'invalid_state',
      `Another disk or folder is mounted at ${mount}, inside the server's folder.`,
      {
        resolution: 'Unmount it, or delete the instance with files=keep.',
      },
    );
}
