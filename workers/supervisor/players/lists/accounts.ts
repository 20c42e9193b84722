import { isAccount, MOST_ACCOUNTS } from '../../../../shared/domain/players/account.ts';
import type { ListPlace } from './list-file.ts';
import { type Profile, readProfiles } from './profiles.ts';

/** Returns the players with accounts whom a server's own files name, without those whose names the owner's rules hide. */
export async function readAccounts(where: ListPlace, isHidden: (name: string) => boolean): Promise<Profile[]> {
  const accounts = new Map<string, Profile>();
  for (const profile of (await readProfiles(where)).known) {
    const key = profile.name.toLowerCase();
    if (accounts.size === MOST_ACCOUNTS) break;
    if (isAccount(profile.uuid) && !accounts.has(key) && !isHidden(profile.name)) accounts.set(key, profile);
  }
  return [...accounts.values()];
}
