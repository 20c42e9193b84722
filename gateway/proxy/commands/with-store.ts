import type { ProxyConfig } from '../startup/config.ts';
import { openStore, type Store } from '../store/open-store.ts';

/** Runs a command on the database, whether the proxy runs or not. */
export async function withStore<T>(config: ProxyConfig, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config, () => undefined);
  try {
    return await work(store);
  } finally {
    await store.database.destroy();
  }
}
