import { join } from 'node:path';
import { type ListedPlayer, PlayerListFile } from './player-list-file.ts';

export interface Operator extends ListedPlayer {
  readonly level: number;
  readonly bypassesPlayerLimit: boolean;
}

export interface Ban extends ListedPlayer {
  readonly created: string;
  readonly source: string;
  readonly expires: string;
  readonly reason: string;
}

export interface PlayerLists {
  readonly operators: PlayerListFile<Operator>;
  readonly bans: PlayerListFile<Ban>;
  readonly whitelist: PlayerListFile<ListedPlayer>;
}

export async function openPlayerLists(folder: string): Promise<PlayerLists> {
  return {
    operators: await PlayerListFile.open<Operator>(join(folder, 'ops.json')),
    bans: await PlayerListFile.open<Ban>(join(folder, 'banned-players.json')),
    whitelist: await PlayerListFile.open<ListedPlayer>(join(folder, 'whitelist.json')),
  };
}

/** Formats a time like vanilla's ban list: `2026-11-20 08:15:00 +0000`. */
export function banTime(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} +0000`;
}
