import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Imported, JobsService } from '../../../shared/contract/jobs.ts';
import { showUnprintable } from '../../../shared/domain/console/invisible-characters.ts';
import { INSTANCE_ID_PATTERN } from '../../../shared/domain/instance/instance-id.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { ImportInstance } from '../../../shared/schema/import.ts';
import { freeId } from '../clone/new-instance-place.ts';
import { USUAL_PACK_BYTES } from '../modpacks/pack-downloads.ts';
import { isPackName } from '../modpacks/pack-index.ts';
import type { JobQueue } from '../queue/queue.ts';
import { remember } from '../queue/remember.ts';
import { type Recognised, toCreateRequest, toRecognition, toRecord } from '../recognition/to-request.ts';
import { checkArchive, type ImportOptions, importArchive, recogniseArchive } from './import-archive.ts';
import { createUploadImport } from './import-upload.ts';
import { requireNotInUse } from './in-use.ts';
import type { ArchiveOrder } from './look-at-unpacked.ts';
import { recogniseIn } from './recognise-in.ts';

type ImportCalls = Pick<JobsService, 'recognise' | 'importFolder' | 'startImport' | 'imported'>;

export function createImportCalls(queue: JobQueue, options: ImportOptions): ImportCalls {
  const { home, peers, records } = options;
  const results = new Map<string, Imported>();
  const importUpload = createUploadImport();
  return {
    async startImport({ uploadedAs, ...request }) {
      const order = await orderOf(request, uploadedAs);
      const isModpack = isPackName(order.shownAs);
      const id = await freeId({ id: request.id, name: order.name }, { peers, home, queue });
      return queue.add({
        kind: 'import',
        instanceId: id,
        creates: id,
        queued: true,
        async work(run) {
          const downloads = isModpack ? run.phase(USUAL_PACK_BYTES) : undefined;
          const doImport = uploadedAs === undefined ? importArchive : importUpload;
          remember(results, run.jobId, await doImport({ ...order, id, downloads }, run, options));
        },
      });
    },
    imported: (jobId) => results.get(jobId) ?? null,
    async recognise({ uploadedAs, ...request }) {
      if (request.archive !== undefined) return recogniseArchive(await orderOf(request, uploadedAs), options);
      return (await lookAt(request, options)).recognition;
    },
    async importFolder(request) {
      const found = await lookAt(request, options);
      const { directory } = found.recognition;
      const wanted = toCreateRequest(found, request);
      const managed = await managedId(directory, home);
      const id = wanted.id ?? managed;
      const config = await peers.daemon.createInstance({
        ...wanted,
        name: wanted.name ?? nameOf(path.basename(directory)),
        id,
        // A folder that Gamekeeper created for this id becomes the instance's managed folder again.
        ...((managed === undefined || id !== managed) && { directory }),
      });
      const record = toRecord(found, config);
      if (record) await records.write(config.id, record);
      return { id: config.id, recognised: found.recognition };
    },
  };
}

async function orderOf(request: ImportInstance, uploadedAs: string | undefined): Promise<ArchiveOrder> {
  const archive = await checkArchive(request.archive ?? '');
  const shownAs = uploadedAs ?? archive;
  return { archive, shownAs, request, name: request.name ?? nameOf(path.basename(shownAs, path.extname(shownAs))) };
}

/** Throws an error about a problem with the folder, and `invalid_state` if a server is running in it. */
async function lookAt(
  request: ImportInstance,
  { peers, pool }: Pick<ImportOptions, 'peers' | 'pool'>,
): Promise<Recognised> {
  const directory = await peers.daemon.checkFolder(request.directory ?? '');
  const found = await recogniseIn(directory, pool);
  await requireNotInUse(directory, found.locks);
  return toRecognition(directory, found, request);
}

/** Returns the id for which Gamekeeper created a folder: the folder of a deleted instance. */
async function managedId(directory: string, home: Home): Promise<string | undefined> {
  const id = path.basename(directory);
  const isOurs = path.dirname(directory) === (await realpath(home.instances)) && INSTANCE_ID_PATTERN.test(id);
  return isOurs ? id : undefined;
}

const MAX_NAME = 64;

/** Returns a name for a server that is made of what somebody else has written. */
export function nameOf(file: string): string {
  return showUnprintable(file).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME).trim() || 'Server';
}
