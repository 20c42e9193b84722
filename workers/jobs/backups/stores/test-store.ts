import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { BackupStorage } from '../backup-storage.ts';
import { unavailable } from './store-error.ts';

/** A user waits for the result. Milliseconds. */
const PATIENCE_MS = 60_000;

/** Writes, reads and removes a small object in a store of the settings. Throws `store_not_found`, and what is wrong with the store. */
export async function testStore(
  name: string,
  { settings, openStore }: Pick<BackupStorage, 'settings' | 'openStore'>,
  signal: AbortSignal,
): Promise<void> {
  const found = (await settings()).stores?.find((store) => store.name === name);
  if (!found) throw new GamekeeperError('store_not_found', `There is no store "${name}" in the settings.`);
  const tooLong = new AbortController();
  const giveUp = () => tooLong.abort(unavailable(name, `did not finish within ${PATIENCE_MS / 1000} s.`));
  const timer = setTimeout(giveUp, PATIENCE_MS);
  const store = await openStore(found);
  try {
    await store.test(AbortSignal.any([signal, tooLong.signal]));
  } finally {
    clearTimeout(timer);
    await store.close();
  }
}
