import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { BackupParts } from '../backup-parts.ts';
import type { Store } from '../stores/store.ts';

/** Opens a store for some work, and closes it whatever comes of that. */
export async function withStore<T>(
  settings: StoreSettings,
  { openStore }: Pick<BackupParts, 'openStore'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(settings);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
