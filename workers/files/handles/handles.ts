import type { Peer } from '../../../shared/contract/call.ts';
import type { FileHandles, OpenHandle } from '../../../shared/contract/file-handles.ts';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { TreeCursor } from '../../../shared/node/files/tree-cursor.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { explained, fileExists, requirePath } from '../folder/file-error.ts';
import { type OpenedFile, openFile } from '../folder/open-file.ts';
import type { ServerFolders } from '../folder/server-folders.ts';
import { FileHandle } from './file-handle.ts';
import { type FolderHandle, openFolderHandle } from './folder-handle.ts';

/** Of one caller, which has many sessions. */
const MOST_HANDLES = 4_096;

type Calls = Pick<
  FileHandles,
  | 'openFolder'
  | 'nextEntries'
  | 'openHandle'
  | 'readHandle'
  | 'writeHandle'
  | 'handleAttributes'
  | 'setHandleAttributes'
  | 'syncHandle'
  | 'closeHandle'
>;

interface Held {
  file?: { handle: FileHandle; instanceId: string; root: string };
  folder?: FolderHandle;
}

/** Files and folders that callers keep open. They are closed when the caller's connection ends. */
export function createHandles({ folders, log }: { folders: ServerFolders; log: Logger }): Calls {
  const peers = new Map<Peer, Map<number, Held>>();
  let last = 0;

  function handlesOf(peer: Peer): Map<number, Held> {
    const present = peers.get(peer);
    if (present) return present;
    const handles = new Map<number, Held>();
    peers.set(peer, handles);
    peer.onClose(() => {
      peers.delete(peer);
      for (const held of handles.values())
        discard(held).catch((error: unknown) => log.warn({ err: error }, 'an open file could not be discarded'));
    });
    return handles;
  }

  /** `open` runs only if the caller may have one more. */
  async function hold(peer: Peer, open: () => Promise<Held>): Promise<{ handle: number }> {
    const handles = handlesOf(peer);
    if (handles.size >= MOST_HANDLES)
      throw new GamekeeperError('rate_limited', 'Too many files are open.', { retryAfterSeconds: 10 });
    const handle = ++last;
    handles.set(handle, {});
    try {
      const held = await open();
      if (peers.get(peer) !== handles) await discard(held); // the caller has gone meanwhile
      handles.set(handle, held);
      return { handle };
    } catch (error) {
      handles.delete(handle);
      throw error;
    }
  }

  function find<Kind extends keyof Held>(peer: Peer, handle: number, kind: Kind): NonNullable<Held[Kind]> {
    const held = peers.get(peer)?.get(handle)?.[kind];
    if (!held) throw new GamekeeperError('invalid_state', 'There is no such handle.');
    return held;
  }

  return {
    openFolder: ({ instanceId, path }, peer) =>
      hold(peer, async () => ({ folder: await openFolderHandle(await folders.toRead(instanceId), path) })),
    nextEntries: ({ handle, limit }, peer) => find(peer, handle, 'folder').next(limit),
    async openHandle(request, peer) {
      const { instanceId, write, isMasked } = request;
      const root = await (write ? folders.toChange : folders.toRead)(instanceId);
      const masked = isMasked ? await folders.secrets(instanceId) : undefined;
      const { handle } = await hold(peer, async () => ({
        file: { handle: await openFileHandle(root, request, masked), instanceId, root },
      }));
      const opened = find(peer, handle, 'file').handle;
      return { handle, sizeBytes: opened.attributes().sizeBytes, isNew: opened.isNew };
    },
    readHandle: ({ handle, ...part }, peer) => find(peer, handle, 'file').handle.read(part),
    writeHandle: ({ handle, ...part }, peer) => find(peer, handle, 'file').handle.write(part),
    handleAttributes: (handle, peer) => find(peer, handle, 'file').handle.attributes(),
    setHandleAttributes: ({ handle, change }, peer) => find(peer, handle, 'file').handle.set(change),
    syncHandle: (handle, peer) => find(peer, handle, 'file').handle.sync(),
    async closeHandle({ handle, isWhole }, peer) {
      const handles = handlesOf(peer);
      const held = handles.get(handle);
      if (!held) throw new GamekeeperError('invalid_state', 'There is no such handle.');
      handles.delete(handle);
      if (!isWhole || !held.file) {
        await discard(held);
        return { isWritten: false };
      }
      const { instanceId, root } = held.file;
      return {
        isWritten: await held.file.handle.commit(async () => {
          // A restore may have begun meanwhile, or have replaced the folder.
          if ((await folders.toChange(instanceId)) !== root)
            throw new GamekeeperError('invalid_state', 'The folder of the server was moved meanwhile.');
        }),
      };
    },
  };
}

async function discard({ file, folder }: Held): Promise<void> {
  await folder?.close();
  await file?.handle.discard();
}

async function openFileHandle(
  root: string,
  { path, write, create, exclusive, truncate }: OpenHandle,
  masked: readonly string[] | undefined,
): Promise<FileHandle> {
  const found = findFile(root, path, create && write);
  if (found && exclusive && create) {
    found[Symbol.dispose]();
    throw fileExists(path);
  }
  const handle = new FileHandle({ root, path, found, mustBeNew: exclusive && create, mayWrite: write, masked });
  try {
    if (write && (truncate || !found)) await handle.begin();
  } catch (error) {
    await handle.discard();
    throw error;
  }
  return handle;
}

/** Returns `undefined` if nothing is there and something may be created. */
function findFile(root: string, path: string, mayCreate: boolean): OpenedFile | undefined {
  try {
    return openFile(root, path);
  } catch (error) {
    if (!mayCreate || !isGamekeeperError(error, 'file_not_found')) throw error;
  }
  requirePath(path, { isBelow: true });
  explained(path, () => {
    using cursor = new TreeCursor(root);
    cursor.enter(splitFilePath(path).folder);
  });
  return undefined;
}
