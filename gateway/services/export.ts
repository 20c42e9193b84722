import { Readable } from 'node:stream';
import type { Job } from '../../shared/schema/job.ts';
import type { ByteChannel } from '../upstream/byte-channel.ts';
import type { Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { JobsService } from './jobs.ts';

export interface ExportService {
  /** Throws `instance_not_found`. */
  check(instanceId: string): Promise<void>;
  /**
   * Returns a ZIP that is written as fast as it is read. If the reader stops, the job is cancelled. Throws if the export cannot begin; a
   * later failure is an error of the stream, so that a partial ZIP is never mistaken for a complete one.
   */
  open(instanceId: string): Promise<Readable>;
  /** Returns a folder inside the instance's folder as a ZIP, in the same way. Throws `file_not_found` and `invalid_path`. */
  openFolder(instanceId: string, path: string): Promise<Readable>;
}

export interface ExportOptions {
  view: InstanceView;
  jobs: Jobs;
  work: JobsService;
  openChannel: () => Promise<ByteChannel>;
}

export function createExportService({ view, jobs, work, openChannel }: ExportOptions): ExportService {
  async function check(instanceId: string): Promise<void> {
    await view.get(instanceId);
  }

  async function receive(start: (socket: string) => Promise<Job>): Promise<Readable> {
    const channel = await openChannel();
    try {
      const job = await start(channel.path);
      const finished = work.finished(job);
      finished.catch(() => undefined); // reported below, unless the reader has gone
      const socket = await Promise.race([channel.connected, finished.then(() => channel.connected)]);
      const zip = Readable.from(wholeOrBroken(socket, { job, finished }), { objectMode: false });
      // Also if the reader leaves before the first byte, when nothing of the generator has run.
      zip.once('close', () => socket.destroy());
      return zip;
    } finally {
      channel.close();
    }
  }

  return {
    check,
    async open(instanceId) {
      await check(instanceId);
      return receive((socket) => jobs.call.startExport({ instanceId, socket }));
    },
    async openFolder(instanceId, path) {
      await check(instanceId);
      return receive((socket) => jobs.call.startFolderDownload({ instanceId, path, socket }));
    },
  };

  async function* wholeOrBroken(source: Readable, { job, finished }: { job: Job; finished: Promise<Job> }) {
    let isRead = false;
    try {
      yield* source;
      await finished;
      isRead = true;
    } finally {
      source.destroy();
      // The reader has gone. End the job, which may be holding the world still.
      if (!isRead) await jobs.call.cancel(job.jobId).catch(() => undefined);
    }
  }
}
