import { Readable } from 'node:stream';
import type { ActionResponse } from '../../shared/schema/answers.ts';
import type { FileDifferences } from '../../shared/schema/backup-files.ts';
import type { FileList } from '../../shared/schema/files.ts';
import type { ByteChannel } from '../upstream/byte-channel.ts';
import type { BackupFile, Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted, JobsService } from './jobs.ts';

export interface BackupPath {
  instanceId: string;
  backupId: string;
  path: string;
}

/** Files in backups. Everything throws `file_not_found` and `invalid_path`, and is cancelled by its signal. */
export interface BackupFilesService {
  list(at: BackupPath & { skip: number; limit: number }, signal: AbortSignal): Promise<FileList>;
  /** Compares a file or folder with today's. `after`: `next` of the previous page. */
  compare(
    at: BackupPath & { after?: string | undefined; limit: number },
    signal: AbortSignal,
  ): Promise<FileDifferences>;
  look(at: BackupPath, signal: AbortSignal): Promise<BackupFile>;
  restore(
    order: { instanceId: string; backupId: string; paths: string[] },
    signal: AbortSignal,
  ): Promise<Accepted<ActionResponse>>;
  /**
   * Returns the content of a file, which is read as fast as the caller reads. Throws if it cannot begin; a later failure is an error of the
   * stream, which then lacks at least one byte.
   */
  open(at: BackupPath): Promise<Readable>;
}

export interface BackupFilesOptions {
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
  openChannel: () => Promise<ByteChannel>;
}

/** A store may be slow, and says itself when it stalls. Milliseconds. */
const PATIENCE_MS = 180_000;

export function createBackupFilesService({ view, jobs, work, openChannel }: BackupFilesOptions): BackupFilesService {
  return {
    async list(at, signal) {
      await view.get(at.instanceId);
      return jobs.call.backupFiles(at, { signal, timeoutMs: PATIENCE_MS });
    },
    async compare({ after, ...at }, signal) {
      await view.get(at.instanceId);
      const from = after === undefined ? {} : { after: Buffer.from(after, 'base64url').toString() };
      const page = await jobs.call.compareBackup({ ...at, ...from }, { signal, timeoutMs: PATIENCE_MS });
      // Not the path itself, so that clients pass it on as it is.
      return { ...page, ...(page.next !== undefined && { next: Buffer.from(page.next).toString('base64url') }) };
    },
    async restore({ paths, ...key }, signal) {
      const { config } = await view.get(key.instanceId);
      const job = await jobs.call.startFileRestore({ ...key, paths }, { signal, timeoutMs: PATIENCE_MS });
      const what = paths.length === 1 ? `"${paths[0]}"` : `${paths.length} files and folders`;
      return work.accept(job, () => ({
        success: true,
        message: `${what} of "${config.name}" came back from ${key.backupId}.`,
      }));
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
