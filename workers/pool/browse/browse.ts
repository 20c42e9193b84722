import { once } from 'node:events';
import { SocketSink } from '../../../shared/node/ipc/socket-sink.ts';
import type { FileDifferences } from '../../../shared/schema/backup-files.ts';
import type { FileList } from '../../../shared/schema/files.ts';
import { readEntry } from '../extract/open-archive.ts';
import type {
  CompareTodayTask,
  FindEntryTask,
  FindPathsTask,
  FoundEntry,
  ListEntriesTask,
  SendEntryTask,
} from '../task-types.ts';
import { unreadable } from '../tree/unreadable.ts';
import { compareWithToday } from './compare-folder.ts';
import { modifiedAt } from './entries.ts';
import { findFile, requirePaths } from './find-file.ts';
import { listFolder } from './list-folder.ts';
import { withArchive } from './open-place.ts';

export function listEntries({ archive, ...task }: ListEntriesTask): Promise<FileList> {
  return withArchive(archive, (open) => listFolder(open, task));
}

export async function compareToday({ archive, ...task }: CompareTodayTask): Promise<FileDifferences> {
  return withArchive(archive, (open) => compareWithToday(open, task)).catch((error: unknown) => {
    throw unreadable(error);
  });
}

export function findPaths({ archive, paths, sourceBytes }: FindPathsTask): Promise<undefined> {
  return withArchive(archive, async (open) => {
    await requirePaths(open, paths, sourceBytes);
    return undefined;
  });
}

/** Finds a file, without its content. */
export function findEntry({ archive, path, sourceBytes }: FindEntryTask): Promise<FoundEntry> {
  return withArchive(archive, async (open) => {
    const found = await findFile(open, path, sourceBytes);
    return { sizeBytes: found.entry.uncompressedSize, modifiedAt: modifiedAt(found) };
  });
}

/**
 * Sends the content of one file to a socket. The last bytes are only sent once the checksum of all is right, so a reader who gets as many
 * as announced has the file.
 */
export function sendEntry({ archive, path, sourceBytes, socket }: SendEntryTask): Promise<undefined> {
  return withArchive(archive, async (open) => {
    const found = await findFile(open, path, sourceBytes);
    const sink = await SocketSink.connect(socket);
    const broken = once(sink, 'error').then(([error]) => Promise.reject(error));
    broken.catch(() => undefined); // reported below, unless all was sent before
    try {
      let held: Buffer | undefined;
      await readEntry(open, found, async (chunk) => {
        if (held) await Promise.race([write(sink, held), broken]);
        held = Buffer.from(chunk);
      });
      if (held) await Promise.race([write(sink, held), broken]);
      sink.end();
      await Promise.race([once(sink, 'finish'), broken]);
      return undefined;
    } catch (error) {
      sink.destroy();
      throw error;
    }
  });
}

function write(sink: SocketSink, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
