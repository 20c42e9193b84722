import type { ActionResponse } from '../../shared/schema/answers.ts';
import type { Jobs } from '../upstream/clients.ts';

/** The jobs process gives up on a store by itself, sooner. Milliseconds. */
const TEST_TIMEOUT_MS = 90_000;

/** Places for copies of backups. */
export interface StoresService {
  /** Throws what is wrong with the store and what to do, `store_not_found` among others. */
  test(name: string): Promise<ActionResponse>;
}

export function createStoresService({ jobs }: { jobs: Jobs }): StoresService {
  return {
    async test(name) {
      await jobs.call.testStore(name, { timeoutMs: TEST_TIMEOUT_MS });
      return { success: true, message: `The store "${name}" works: an object was written, read back and removed.` };
    },
  };
}
