import type { ImportedInstance, ImportInstance, Recognition } from '../../shared/schema/import.ts';
import { toInstance } from '../../shared/schema/instance-view.ts';
import type { Identity } from '../auth/identity.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import type { Jobs } from '../upstream/jobs.ts';
import { requireLocalAdministrator } from './local-administrator.ts';

/** Folders are looked through by a deadline of their own, which comes first. Milliseconds. */
const IMPORT_TIMEOUT_MS = 60_000;

/** Servers that were there before Gamekeeper. Both throw `insufficient_scope` unless `by` is a local administrator. */
export interface ImportService {
  recognise(request: ImportInstance, by: Identity): Promise<Recognition>;
  folder(request: ImportInstance, by: Identity): Promise<ImportedInstance>;
}

export interface ImportOptions {
  view: InstanceView;
  jobs: Jobs;
  now: () => number;
}

export function importService({ view, jobs, now }: ImportOptions): ImportService {
  return {
    async recognise(request, by) {
      requireLocalAdministrator(by, ['directory']);
      return jobs.call.recognise(request, { timeoutMs: IMPORT_TIMEOUT_MS });
    },
    async folder(request, by) {
      requireLocalAdministrator(by, ['directory']);
      const { id, recognised } = await jobs.call.importFolder(request, { timeoutMs: IMPORT_TIMEOUT_MS });
      const { config, runtime } = await view.refresh(id);
      return { ...toInstance(config, runtime, now()), recognised };
    },
  };
}
