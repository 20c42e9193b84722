import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Imported, JobsService } from '../../../shared/contract/jobs.ts';
import { INSTANCE_ID_PATTERN } from '../../../shared/domain/instance-id.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { ImportInstance } from '../../../shared/schema/import.ts';
import { freeId } from '../clone/new-instance-place.ts';
import type { JobQueue } from '../queue/queue.ts';
import { refuseBeyond } from '../queue/refuse-too-many.ts';
import { type ArchiveImportParts, checkArchive, importArchive, recogniseArchive } from './import-archive.ts';
import { requireNotInUse } from './in-use.ts';
import type { ArchiveOrder } from './look-at-unpacked.ts';
import { nameOf } from './name-of.ts';
import { recogniseIn } from './recognise-in.ts';
import { type Recognised, toCreateRequest, toRecognition, toRecord } from './to-request.ts';

/** Results that are remembered, like the jobs themselves. */
const MAX_RESULTS = 200;

export interface ImportParts extends ArchiveImportParts {
  home: Home;
  queue: JobQueue;
}

type ImportCalls = Pick<JobsService, 'recognise' | 'importFolder' | 'startImport' | 'imported'>;

/** Servers that were there before Gamekeeper, or come from elsewhere. */
export function importCalls(parts: ImportParts): ImportCalls {
  const { home, peers, records, queue } = parts;
  const results = new Map<string, Imported>();
  return {
    async startImport(request) {
      const order = await orderOf(request);
      const id = await freeId({ id: request.id, name: order.name }, { peers, folderOf: home.instanceDirectory });
      refuseBeyond(queue, { kind: 'import' });
      return queue.add({
        kind: 'import',
        instanceId: id,
        queued: true,
        async work(run) {
          const result = await importArchive({ ...order, id }, run, parts);
          results.set(run.jobId, result);
          const [oldest] = results.keys();
          if (results.size > MAX_RESULTS && oldest !== undefined) results.delete(oldest);
        },
      });
    },
    imported: (jobId) => results.get(jobId) ?? null,
    async recognise(request) {
      if (request.archive !== undefined) return recogniseArchive(await orderOf(request), parts);
      return (await lookAt(request, parts)).recognition;
    },
    async importFolder(request) {
      const found = await lookAt(request, parts);
      const { directory } = found.recognition;
      const wanted = toCreateRequest(found, request);
      const managed = await managedId(directory, home);
      const id = wanted.id ?? managed;
      const config = await peers.daemon.createInstance({
        ...wanted,
        name: wanted.name ?? nameOf(path.basename(directory)),
        id,
        // One that Gamekeeper made, and an instance of that id: it is the instance's own again.
        ...((managed === undefined || id !== managed) && { directory }),
      });
      const record = toRecord(found, config);
      if (record) await records.write(config.id, record);
      return { id: config.id, recognised: found.recognition };
    },
  };
}

async function orderOf(request: ImportInstance): Promise<ArchiveOrder> {
  const archive = await checkArchive(request.archive ?? '');
  return { archive, request, name: request.name ?? nameOf(path.basename(archive, path.extname(archive))) };
}

/** Throws what is wrong with the folder, and `invalid_state` where a server is running in it. */
async function lookAt(
  request: ImportInstance,
  { peers, pool }: Pick<ImportParts, 'peers' | 'pool'>,
): Promise<Recognised> {
  const directory = await peers.daemon.checkFolder(request.directory ?? '');
  const found = await recogniseIn(directory, pool);
  await requireNotInUse(directory, found.locks);
  return toRecognition(directory, found, request);
}

/** The id that a folder of ours was made for: what a deleted instance has left. */
async function managedId(directory: string, home: Home): Promise<string | undefined> {
  const id = path.basename(directory);
  const isOurs = path.dirname(directory) === (await realpath(home.instances)) && INSTANCE_ID_PATTERN.test(id);
  return isOurs ? id : undefined;
}
