import path from 'node:path';
import { isLive } from '../../shared/domain/phase.ts';
import type { InstanceRuntime } from '../../shared/domain/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { removeTree } from '../../shared/node/files/remove-tree.ts';
import { readLivingGame } from '../../shared/node/processes/process-record.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';
import type { DeletedFolders } from './deleted-folders.ts';
import type { Registry } from './registry.ts';

/** Who hangs is not waited for: other instances' changes wait behind this one. Milliseconds. */
const ANSWER_WITHIN_MS = 3_000;

export interface Deletion {
  home: Home;
  registry: Registry;
  supervisors: Supervisors;
  folders: Pick<DeletedFolders, 'take'>;
  /** Ends the instance's jobs and makes them forget it: its backups with their archives, and mods that wait, where that is said. */
  forgetWork(what: { instanceId: string; backups: boolean; mods: boolean }): Promise<void>;
}

/**
 * Deletes an instance that is stopped, and what else is asked for: its work and backups first, then its folder, so that whatever fails leaves
 * an instance that can be deleted again. Throws `invalid_state` where it is not stopped,
 * `invalid_request` for a folder that was there before Gamekeeper.
 */
export async function deleteInstance(
  { id, files, backups }: { id: string; files: 'keep' | 'delete'; backups: 'keep' | 'delete' },
  { home, registry, supervisors, folders, forgetWork }: Deletion,
): Promise<void> {
  const { config, runtime } = registry.get(id);
  if (files === 'delete' && !config.managed)
    throw new GamekeeperError(
      'invalid_request',
      `files: the folder of "${id}" was there before Gamekeeper and is not deleted.`,
      { resolution: `Delete the instance with files=keep, then ${config.directory} yourself if you want to.` },
    );
  checkStopped(id, runtime);
  if (await readLivingGame(home.gameRecord(id)))
    throw new GamekeeperError(
      'invalid_state',
      `The server of "${id}" goes on without the process that looked after it.`,
      {
        resolution: 'It is taken over in a moment; start it if it is not. Then stop it first.',
      },
    );
  const supervisor = await supervisors.find(id);
  if (supervisor) {
    checkStopped(id, await supervisor.client.call.status(undefined, { timeoutMs: ANSWER_WITHIN_MS }));
    await supervisors.retire(id);
  }

  // A folder of ours that stays is taken up again by an instance of its id, as far as it was changed. Any other has no part in that.
  const mods = files === 'delete' || !config.managed;
  await forgetWork({ instanceId: id, backups: backups === 'delete', mods });
  if (files === 'delete') await folders.take(id);
  registry.remove(id);
  const marks = [home.supervisorRecord, home.supervisorSocket, home.gameRecord, home.worldLockMark].map((of) => of(id));
  const leftovers = [...marks, path.join(home.logs, 'supervisors', `${id}.log`)];
  if (files === 'delete') leftovers.push(home.consoleLogDirectory(id));
  for (const leftover of leftovers) await removeTree(leftover);
}

function checkStopped(id: string, { phase, activity }: InstanceRuntime): void {
  const state = activity ?? phase;
  if (activity === undefined && !isLive(phase)) return;
  throw new GamekeeperError('invalid_state', `"${id}" is ${state}, and only a stopped instance can be deleted.`, {
    resolution: 'Stop it first.',
  });
}
