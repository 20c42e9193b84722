import type { FileHandles } from '../../shared/contract/file-handles.ts';
import type { FilesService } from '../../shared/contract/files.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { removeTree } from '../../shared/node/files/remove-tree.ts';
import { TreeCursor } from '../../shared/node/files/tree-cursor.ts';
import { makeFolder, moveEntry } from './folder/change-folder.ts';
import { copyEntry } from './folder/copy-entry.ts';
import { etagOf, statAt } from './folder/entry.ts';
import { explained, fileNotFound, requirePath } from './folder/file-error.ts';
import { listFolder } from './folder/list-folder.ts';
import { factsOf, type OpenedFile, openFile } from './folder/open-file.ts';
import type { ServerFolders } from './folder/server-folders.ts';
import { restoreVersion } from './history/restore-version.ts';
import { listVersions, openVersion } from './history/versions.ts';
import { maskOf } from './masking/mask-of.ts';
import { folderUsage } from './search/folder-usage.ts';
import { searchFiles } from './search/search-files.ts';
import type { Staging } from './staging/staging.ts';
import { sendFile } from './transfer/transfer.ts';
import { emptyTrash, listTrash, moveToTrash, restoreFromTrash } from './trash/trash.ts';
import type { Uploads } from './uploads/uploads.ts';
import { listWorlds } from './worlds/list-worlds.ts';

export interface FilesServiceOptions {
  folders: ServerFolders;
  staging: Staging;
  uploads: Uploads;
  handles: FileHandles;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What the gateway can call. Each call finds the instance's folder anew, since a restore may have replaced it. */
export function createFilesService({ folders, staging, uploads, handles, now }: FilesServiceOptions): FilesService {
  return {
    async list({ instanceId, path, ...options }, signal) {
      return await listFolder(await folders.toRead(instanceId), path, options, signal);
    },
    async search({ instanceId, isMasked, ...search }, signal) {
      const secrets = isMasked ? await folders.secrets(instanceId) : undefined;
      return await searchFiles(await folders.toRead(instanceId), { ...search, secrets }, signal);
    },
    worlds: async (instanceId, signal) => await listWorlds(await folders.toRead(instanceId), signal),
    usage: async ({ instanceId, path }, signal) => folderUsage(await folders.toRead(instanceId), path, signal),
    async look({ instanceId, path, version }) {
      using file = opened(await folders.toRead(instanceId), path, version);
      return factsOf(file);
    },
    async read({ instanceId, path, version, start, end, etag, socket, isMasked }, signal) {
      using file = opened(await folders.toRead(instanceId), path, version);
      if (etagOf(file.stats) !== etag)
        throw new GamekeeperError('precondition_failed', 'The file has just changed.', { retryAfterSeconds: 1 });
      const range = { start, end };
      const { descriptor } = file;
      const secrets = isMasked ? await folders.secrets(instanceId) : undefined;
      const filter = secrets && maskOf({ descriptor, path }, { secrets, ...range });
      await sendFile(descriptor, { range, socket, filter }, signal);
    },
    history: async ({ instanceId, path }) => ({ versions: listVersions(await folders.toRead(instanceId), path) }),
    async restoreVersion({ instanceId, path, version }) {
      return await restoreVersion(await folders.toChange(instanceId), path, version);
    },
    stage: staging.stage,
    commit: staging.commit,
    discard: staging.discard,
    ...uploads,
    ...handles,
    makeFolder: async ({ instanceId, path }) => makeFolder(await folders.toChange(instanceId), path),
    move: async ({ instanceId, from, to }) => moveEntry(await folders.toChange(instanceId), from, to),
    async copy({ instanceId, from, to }, signal) {
      await copyEntry(await folders.toChange(instanceId), { from, to }, signal);
    },
    async remove({ instanceId, path, isPermanent, by }) {
      const root = await folders.toChange(instanceId);
      if (!isPermanent) return { trashId: moveToTrash(root, path, { by, now: now() }) };
      await removeForGood(root, path);
      return {};
    },
    trash: async (instanceId) => await listTrash(await folders.toRead(instanceId), now()),
    async restoreFromTrash({ instanceId, trashId }) {
      return { path: await restoreFromTrash(await folders.toChange(instanceId), trashId) };
    },
    async emptyTrash({ instanceId, trashId }) {
      await emptyTrash(await folders.toChange(instanceId), trashId);
    },
  };
}

function opened(root: string, path: string, version: string | undefined): OpenedFile {
  return version === undefined ? openFile(root, path) : openVersion(root, path, version);
}

async function removeForGood(root: string, path: string): Promise<void> {
  requirePath(path, { isBelow: true });
  await explained(path, async () => {
    using cursor = new TreeCursor(root);
    const place = cursor.placeOf(path);
    if (!statAt(place)) throw fileNotFound(path);
    await removeTree(place);
  });
}
