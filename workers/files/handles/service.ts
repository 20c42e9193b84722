import type { FileHandles } from '../../../shared/contract/file-handles.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { ServerFolders } from '../folder/server-folders.ts';
import { moveToTrash } from '../trash/trash.ts';
import { attributesAt, readLinkAt, setAttributesAt } from './attributes.ts';
import { diskSpaceOf, removeEmptyFolder, replaceEntry, requireNoFolder } from './change-entries.ts';
import { createHandles } from './handles.ts';

export interface FileHandlesOptions {
  folders: ServerFolders;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The calls of SFTP: open files, and what its protocol has beyond the calls of the gateway. */
export function createFileHandles({ folders, log, now }: FileHandlesOptions): FileHandles {
  return {
    ...createHandles({ folders, log }),
    attributes: async ({ instanceId, path }) => attributesAt(await folders.toRead(instanceId), path),
    async setAttributes({ instanceId, path, change }) {
      setAttributesAt(await folders.toChange(instanceId), path, change);
    },
    readLink: async ({ instanceId, path }) => readLinkAt(await folders.toRead(instanceId), path),
    replace: async ({ instanceId, from, to }) => replaceEntry(await folders.toChange(instanceId), from, to),
    async removeFile({ instanceId, path, by }) {
      const root = await folders.toChange(instanceId);
      requireNoFolder(root, path);
      moveToTrash(root, path, { by, now: now() });
    },
    removeFolder: async ({ instanceId, path }) => removeEmptyFolder(await folders.toChange(instanceId), path),
    diskSpace: async (instanceId) => diskSpaceOf(await folders.toRead(instanceId)),
  };
}
