import type { JobsService } from '../../../shared/contract/jobs.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import { createArchive, requireArchivable } from './create-archive.ts';
import { extractArchive } from './extract-archive.ts';
import { openInFolder, realFolder, requireFilePath } from './real-place.ts';

export interface FileCallsOptions {
  home: Home;
  peers: Peers;
  pool: Pool;
  /** For what is as slow as its reader. */
  streams: Pool;
}

/** Long work on the files of servers. What is short is done by the files process. */
export type FileCalls = Pick<JobsService, 'startFolderDownload' | 'startArchive' | 'startExtract'>;

export function createFileCalls(queue: JobQueue, { home, peers, pool, streams }: FileCallsOptions): FileCalls {
  return {
    async startFolderDownload({ instanceId, path, socket }) {
      const { config } = await peers.daemon.instance(instanceId);
      const source = await realFolder(config.directory, path);
      return queue.add({
        kind: 'export',
        instanceId,
        queued: false, // as slow as its reader
        async work(run) {
          const { progress } = run.phase(0);
          run.omits(await streams.run('exportFolder', { source, socket, progress: progress.memory }, run.signal));
        },
      });
    },

    async startArchive({ instanceId, path, names, to }) {
      const { config } = await peers.daemon.instance(instanceId);
      const order = { instanceId, directory: config.directory, path, names, to };
      await requireArchivable(order); // fails at once, not in the job
      return queue.add({
        kind: 'archive',
        instanceId,
        queued: true,
        work: (run) => createArchive(order, run, { pool, home }),
      });
    },

    async startExtract({ instanceId, path, to }) {
      const { config } = await peers.daemon.instance(instanceId);
      requireFilePath(to);
      (await openInFolder(config.directory, path))[Symbol.dispose](); // fails at once, not in the job
      const order = { instanceId, directory: config.directory, path, to };
      return queue.add({
        kind: 'extract',
        instanceId,
        queued: true,
        work: (run) => extractArchive(order, run, { pool, home }),
      });
    },
  };
}
