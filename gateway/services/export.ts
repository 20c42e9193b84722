import { Readable } from 'node:stream';
import type { Job } from '../../shared/schema/job.ts';
import type { ByteChannel } from '../upstream/byte-channel.ts';
import type { Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { JobsService } from './jobs.ts';

/** Servers to be taken elsewhere. */
export interface ExportService {
  /** Throws `instance_not_found`. */
  check(instanceId: string): Promise<void>;
  /**
   * A ZIP, made as fast as it is read: whoever stops reading stops the work. Throws what keeps it from beginning; what happens later is an
   * error of the stream, so that a part is never taken for the whole.
   */
  open(instanceId: string): Promise<Readable>;
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

  return {
    check,
    async open(instanceId) {
      await check(instanceId);
      const channel = await openChannel();
      try {
        const job = await jobs.call.startExport({ instanceId, socket: channel.path });
        const finished = work.finished(job);
        finished.catch(() => undefined); // told below, or nobody reads any more
        const socket = await Promise.race([channel.connected, finished.then(() => channel.connected)]);
        return Readable.from(wholeOrBroken(socket, { job, finished }), { objectMode: false });
      } finally {
        channel.close();
      }
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
      // Its reader has gone: a world that is held still is let go at once. A job that has ended stays as it is.
      if (!isRead) await jobs.call.cancel(job.jobId).catch(() => undefined);
    }
  }
}
