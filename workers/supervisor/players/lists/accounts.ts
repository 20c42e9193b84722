import { isAccount, MOST_ACCOUNTS } from '../../../../shared/domain/players/account.ts';
import type { ListPlace } from './list-file.ts';
import { type Profile, readProfiles } from './profiles.ts';

export interface ShownNames {
  /** Returns whether Gamekeeper has seen a player on the server, whose cache also has names that it only looked up. */
  isSeen: (name: string) => boolean;
  /** Returns whether the owner's rules hide a name. */
  isHidden: (name: string) => boolean;
}

/** Returns the players with accounts whom Gamekeeper shows, and whose UUIDs a server's own files have. */
export async function readAccounts(where: ListPlace, { isSeen, isHidden }: ShownNames): Promise<Profile[]> {
  const accounts = new Map<string, Profile>();
  for (const profile of (await readProfiles(where, isSeen)).known) {
    const key = profile.name.toLowerCase();
    if (accounts.size === MOST_ACCOUNTS) break;
    if (isAccount(profile.uuid) && !accounts.has(key) && !isHidden(profile.name)) accounts.set(key, profile);
  }
  return [...accounts.values()];
}
