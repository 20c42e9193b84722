import { filesRouter } from '../../shared/contract/files.ts';
import { VERSION } from '../../shared/domain/version.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { connectDaemon } from '../../shared/node/ipc/connect.ts';
import { serveIpc } from '../../shared/node/ipc/server.ts';
import { createLogger } from '../../shared/node/logger.ts';
import { createServerFolders } from './folder/server-folders.ts';
import { createFileHandles } from './handles/service.ts';
import { createFilesService } from './service.ts';
import { createStaging } from './staging/staging.ts';
import { startTidying } from './tidying.ts';
import { createUploadPlaces } from './uploads/upload-places.ts';
import { createUploads } from './uploads/uploads.ts';

/** Builds the process, leaves first, and serves. Returns the function that ends it. */
export async function startFiles(home: Home): Promise<() => Promise<void>> {
  const daemon = connectDaemon(home.daemonSocket);
  const { level } = (await daemon.call.settings()).log;
  const log = createLogger({ name: 'files', level });
  const folders = createServerFolders(daemon.call, home);
  const server = await serveIpc({
    socketPath: home.filesSocket,
    name: 'files',
    version: VERSION,
    router: filesRouter,
    service: createFilesService({
      folders,
      staging: createStaging({ folders, log }),
      uploads: createUploads({ places: createUploadPlaces(folders, home), now: Date.now }),
      handles: createFileHandles({ folders, log, now: Date.now }),
      now: Date.now,
    }),
    onError: (error, procedure) => log.error({ err: error, procedure }, 'a call failed'),
  });
  const ending = new AbortController();
  startTidying({ folders, imports: home.imports, now: Date.now, log }, ending.signal);
  return async () => {
    ending.abort();
    await server.close();
    daemon.close();
  };
}
