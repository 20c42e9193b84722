import path from 'node:path';
import { daemonRouter } from '../../../shared/contract/daemon.ts';
import { filesRouter } from '../../../shared/contract/files.ts';
import { jobsRouter } from '../../../shared/contract/jobs.ts';
import { supervisorRouter } from '../../../shared/contract/supervisor.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { connectDaemon } from '../../../shared/node/ipc/connect.ts';
import { type IpcServer, serveIpc } from '../../../shared/node/ipc/server.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { createServerFolders } from '../../../workers/files/folder/server-folders.ts';
import { createFileHandles } from '../../../workers/files/handles/service.ts';
import { createFilesService } from '../../../workers/files/service.ts';
import { createStaging } from '../../../workers/files/staging/staging.ts';
import { createUploadPlaces } from '../../../workers/files/uploads/upload-places.ts';
import { createUploads } from '../../../workers/files/uploads/uploads.ts';
import { instanceConfig, type StandInDaemon, standInDaemon } from './stand-in-daemon.ts';
import { type StandInJobs, standInJobs } from './stand-in-jobs.ts';
import { type StandInSupervisor, standInSupervisor } from './stand-in-supervisor.ts';

export interface ServedStandIns {
  daemon: StandInDaemon;
  /** The supervisor of the only instance, `demo`. */
  supervisor: StandInSupervisor;
  jobs: StandInJobs;
  daemonSocket: string;
  /** Closes the supervisor's connections and socket. Resolves to a function that opens it again. */
  dropSupervisor(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface ServeStandInsOptions {
  home: string;
  settings: Settings;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Called if a stand-in throws something unexpected. */
  onError: (error: unknown) => void;
}

/** Serves stand-ins for daemon, jobs and the supervisor of the stopped instance `demo` on local sockets, and the real service for files. */
export async function serveStandIns({ home, settings, now, onError }: ServeStandInsOptions): Promise<ServedStandIns> {
  const socketOf = (name: string) => path.join(home, `${name}.sock`);
  const common = { version: '0', onError };
  const daemon = standInDaemon({
    settings,
    home,
    supervisorSocket: async (id) => socketOf(id),
    jobsSocket: async () => socketOf('jobs'),
    filesSocket: async () => socketOf('files'),
    now,
  });
  daemon.put(instanceConfig());
  const supervisor = standInSupervisor((runtime) => daemon.put(instanceConfig(), runtime, socketOf('demo')));
  const jobs = await standInJobs(home);

  const daemonServer = await serveIpc({
    socketPath: socketOf('daemon'),
    name: 'daemon',
    router: daemonRouter,
    service: daemon,
    ...common,
  });
  const jobsServer = await serveIpc({
    socketPath: socketOf('jobs'),
    name: 'jobs',
    router: jobsRouter,
    service: jobs,
    ...common,
  });
  const filesDaemon = connectDaemon(socketOf('daemon'));
  const folders = createServerFolders(filesDaemon.call, homeAt(home));
  const log = createLogger({ name: 'files', level: 'silent' });
  const filesServer = await serveIpc({
    socketPath: socketOf('files'),
    name: 'files',
    router: filesRouter,
    service: createFilesService({
      folders,
      staging: createStaging({ folders, log }),
      uploads: createUploads({ places: createUploadPlaces(folders, homeAt(home)), now }),
      handles: createFileHandles({ folders, log, now }),
      now,
    }),
    ...common,
  });
  const serveSupervisor = () =>
    serveIpc({
      socketPath: socketOf('demo'),
      name: 'supervisor:demo',
      router: supervisorRouter,
      service: supervisor,
      ...common,
    });
  let supervisorServer: IpcServer | undefined = await serveSupervisor();

  return {
    daemon,
    supervisor,
    jobs,
    daemonSocket: socketOf('daemon'),
    async dropSupervisor() {
      await supervisorServer?.close();
      supervisorServer = undefined;
      return async () => {
        supervisorServer = await serveSupervisor();
      };
    },
    async close() {
      await daemon.closeLink();
      filesDaemon.close();
      await Promise.all([daemonServer, jobsServer, filesServer, supervisorServer].map((server) => server?.close()));
    },
  };
}
