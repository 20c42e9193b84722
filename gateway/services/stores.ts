import type { ActionResponse } from '../../shared/schema/answers.ts';
import type { Jobs } from '../upstream/clients.ts';

/** The jobs process gives up on a store earlier. */
const TEST_TIMEOUT_MS = 90_000;

export interface StoresService {
  /** Writes, reads and removes an object. Throws `store_not_found`, `store_refused` or `store_unavailable`. */
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
