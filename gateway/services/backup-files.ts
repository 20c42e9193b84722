import { Readable } from 'node:stream';
import type { FileList } from '../../shared/schema/files.ts';
import type { ByteChannel } from '../upstream/byte-channel.ts';
import type { BackupFile, Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';

export interface BackupPath {
  instanceId: string;
  backupId: string;
  path: string;
}

/** Files in backups. Everything throws `file_not_found` and `invalid_path`, and is cancelled by its signal. */
export interface BackupFilesService {
  list(at: BackupPath & { skip: number; limit: number }, signal: AbortSignal): Promise<FileList>;
  look(at: BackupPath, signal: AbortSignal): Promise<BackupFile>;
  /**
   * Returns the content of a file, which is read as fast as the caller reads. Throws if it cannot begin; a later failure is an error of the
   * stream, which then lacks at least one byte.
   */
  open(at: BackupPath): Promise<Readable>;
}

export interface BackupFilesOptions {
  view: InstanceView;
  jobs: Jobs;
  openChannel: () => Promise<ByteChannel>;
}

/** A store may be slow, and says itself when it stalls. Milliseconds. */
const PATIENCE_MS = 180_000;

export function createBackupFilesService({ view, jobs, openChannel }: BackupFilesOptions): BackupFilesService {
  return {
    async list(at, signal) {
      await view.get(at.instanceId);
      return jobs.call.backupFiles(at, { signal, timeoutMs: PATIENCE_MS });
    },
    async look(at, signal) {
      await view.get(at.instanceId);
      return jobs.call.backupFile(at, { signal, timeoutMs: PATIENCE_MS });
    },
    async open(at) {
      const left = new AbortController();
      const channel = await openChannel();
      try {
        const sent = jobs.call.sendBackupFile(
          { ...at, socket: channel.path },
          { signal: left.signal, timeoutMs: 0 }, // as slow as its reader
        );
        sent.catch(() => undefined); // reported below, unless the reader has gone
        const socket = await Promise.race([channel.connected, sent.then(() => channel.connected)]);
        return Readable.from(wholeOrBroken(socket, { sent, left }), { objectMode: false });
      } finally {
        channel.close();
      }
    },
  };
}

async function* wholeOrBroken(source: Readable, { sent, left }: { sent: Promise<void>; left: AbortController }) {
  try {
    yield* source;
    await sent;
  } finally {
    source.destroy();
    // Ends the reading if the reader has gone.
    left.abort(new Error('The reader has gone.'));
  }
}
