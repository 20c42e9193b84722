import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it starts, as part of the request with this id. */
export function withinRequest<T>(requestId: string, work: () => T): T {
  return storage.run(requestId, work);
}

/** Id of the request that the running code works for, so that calls to other processes carry it without being told. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
