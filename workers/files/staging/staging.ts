import type { Peer } from '../../../shared/contract/call.ts';
import type { FilesService } from '../../../shared/contract/files.ts';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace } from '../../../shared/node/files/disk-space.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { explained } from '../folder/file-error.ts';
import type { ServerFolders } from '../folder/server-folders.ts';
import { receiveFile } from '../transfer/transfer.ts';
import { closeStaged, commitStaged, createStaged, discardStaged } from './staged-files.ts';

/** Uploads: bytes arrive beside the files of the instance, and become one of them at once. */
export type Staging = Pick<FilesService, 'stage' | 'commit' | 'discard'>;

interface Staged {
  id: string;
  own: string;
  root: string;
  instanceId: string;
  /** Stops waiting for the end of the caller's connection. */
  unlisten(): void;
}

export function createStaging({ folders, log }: { folders: ServerFolders; log: Logger }): Staging {
  const staged = new Map<string, Staged>();

  async function forget(one: Staged): Promise<void> {
    staged.delete(one.id);
    one.unlisten();
    await discardStaged(one);
  }

  function discardWith(peer: Peer, one: Omit<Staged, 'unlisten'>): Staged {
    const unlisten = peer.onClose(() => {
      forget(held).catch((error: unknown) => log.warn({ err: error }, 'an unfinished upload could not be removed'));
    });
    const held = { ...one, unlisten };
    return held;
  }

  return {
    async stage({ instanceId, socket, sizeBytes }, peer, signal) {
      const root = await folders.toChange(instanceId);
      await requireSpace(root, (sizeBytes ?? 0) + RESERVED_BYTES, 'The upload, with what the game needs to save,');
      const file = createStaged(root);
      const one = discardWith(peer, { id: splitFilePath(file.own).name, own: file.own, root, instanceId });
      staged.set(one.id, one);
      try {
        let received: number;
        try {
          received = await explained('', () => receiveFile(file.descriptor, { socket, folder: root }, signal));
        } finally {
          await closeStaged(file);
        }
        return { stagedId: one.id, sizeBytes: received };
      } catch (error) {
        await forget(one);
        throw error;
      }
    },

    async commit({ instanceId, stagedId, ...options }) {
      const one = staged.get(stagedId);
      if (one?.instanceId !== instanceId)
        throw new GamekeeperError('worker_unavailable', 'The upload was interrupted.', { retryAfterSeconds: 1 });
      // A restore may have begun meanwhile, or have replaced the folder.
      if ((await folders.toChange(instanceId)) !== one.root)
        throw new GamekeeperError('invalid_state', 'The folder of the server was moved during the upload.');
      try {
        return await commitStaged(one, options);
      } finally {
        await forget(one);
      }
    },

    async discard(stagedId) {
      const one = staged.get(stagedId);
      if (one) await forget(one);
    },
  };
}
