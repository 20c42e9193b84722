import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { readClocks } from '../../shared/node/primitives/clocks.ts';
import type { ImportedInstance, ImportInstance, Recognition } from '../../shared/schema/import.ts';
import { toInstance } from '../../shared/schema/instance-view.ts';
import { requireLocalAdministrator } from '../auth/access.ts';
import type { Identity } from '../auth/identity.ts';
import type { Files, Imported, ImportOrder, Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Accepted, JobsService } from './jobs.ts';

/** Longer than recognising a folder may take. Milliseconds. */
const IMPORT_TIMEOUT_MS = 60_000;

/** Existing servers. Everything throws `insufficient_scope` unless `by` is a local administrator. */
export interface ImportService {
  recognise(request: ImportInstance, by: Identity): Promise<Recognition>;
  folder(request: ImportInstance, by: Identity): Promise<ImportedInstance>;
  archive(request: ImportInstance, by: Identity): Promise<Accepted<ImportedInstance>>;
}

export interface ImportOptions {
  view: InstanceView;
  files: Files;
  jobs: Jobs;
  work: JobsService;
  now: () => number;
}

export function createImportService({ view, files, jobs, work, now }: ImportOptions): ImportService {
  async function show({ id, recognised }: Imported): Promise<ImportedInstance> {
    const { config, runtime } = await view.refresh(id);
    return { ...toInstance(config, runtime, readClocks(now)), recognised };
  }

  /** Throws `file_not_found` for an upload that is not this account's, and `invalid_state` until all of it has arrived. */
  async function orderOf({ upload, ...request }: ImportInstance, by: Identity): Promise<ImportOrder> {
    if (upload === undefined) return request;
    const { file, name } = await files.call.uploadedArchive({ account: by.username, uploadId: upload });
    return { ...request, archive: file, uploadedAs: name };
  }

  return {
    async recognise(request, by) {
      requireLocalAdministrator(by, [sourceOf(request)]);
      return jobs.call.recognise(await orderOf(request, by), { timeoutMs: IMPORT_TIMEOUT_MS });
    },
    async folder(request, by) {
      requireLocalAdministrator(by, ['directory']);
      return show(await jobs.call.importFolder(request, { timeoutMs: IMPORT_TIMEOUT_MS }));
    },
    async archive(request, by) {
      requireLocalAdministrator(by, [sourceOf(request)]);
      return work.accept(await jobs.call.startImport(await orderOf(request, by)), async ({ jobId }) => {
        const imported = await jobs.call.imported(jobId);
        if (!imported) throw new GamekeeperError('internal_error', 'The import ended without a result.');
        return show(imported);
      });
    },
  };
}

function sourceOf(request: ImportInstance): string {
  return (['upload', 'archive'] as const).find((source) => request[source] !== undefined) ?? 'directory';
}
