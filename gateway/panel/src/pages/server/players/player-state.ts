import { useQueries, useQuery } from '@tanstack/react-query';
import { usePlayerSkins } from '../../../api/player-skins.ts';
import {
  type Listed,
  type PlayerList,
  playerListQuery,
  type SeenPlayer,
  seenPlayersQuery,
  usePlayers,
} from '../../../api/players.ts';
import type { Instance, Player } from '../../../api/transport/client.ts';
import { useNow } from '../../../ui/display/use-now.ts';

/** What is known about a player, with the player's entry in each list. */
export interface PlayerState extends Partial<Record<PlayerList, Listed | undefined>> {
  name: string;
  online: Player | undefined;
  seen: SeenPlayer | undefined;
  /** Address of the player's skin, if there is one. */
  skin: string | undefined;
}

/** What is known about a server's players. */
export interface PlayerStates {
  /** Finds what is known about a name, which servers compare without case. */
  stateOf(name: string): PlayerState;
  /** True until everything but the skins has been loaded, or could not be. */
  isLoading: boolean;
  /** Why something but the skins could not be loaded. */
  error: Error | undefined;
  /** Loads again what could not be loaded. */
  retry(): void;
}

export function usePlayerStates(instance: Instance, lists: readonly PlayerList[]): PlayerStates {
  const online = usePlayers(instance);
  const seen = useQuery(seenPlayersQuery(instance.id));
  const skinOf = usePlayerSkins(instance);
  const entries = useQueries({ queries: lists.map((list) => playerListQuery(instance.id, list)) });
  const onlineByName = byName(instance.status === 'running' ? (online.data ?? []) : []);
  const seenByName = byName(seen.data ?? []);
  const now = useNow();
  const isInForce = ({ expiresAt }: Listed) => expiresAt === undefined || Date.parse(expiresAt) > now;
  const listed = lists.map((list, index) => [list, byName(entries[index]?.data?.filter(isInForce) ?? [])] as const);
  const stateOf = (name: string): PlayerState => {
    const key = name.toLowerCase();
    return {
      name,
      online: onlineByName.get(key),
      seen: seenByName.get(key),
      skin: skinOf(name),
      ...Object.fromEntries(listed.map(([list, players]) => [list, players.get(key)])),
    };
  };
  const queries = [online, seen, ...entries];
  const failed = queries.filter(({ isLoadingError }) => isLoadingError);
  return {
    stateOf,
    isLoading: queries.some(({ isLoading }) => isLoading),
    error: failed[0]?.error ?? undefined,
    retry() {
      for (const { refetch } of failed) void refetch();
    },
  };
}

/** Whether anything is known about a player. */
export function isKnown({ online, seen, operators, allowlist, bans }: PlayerState): boolean {
  return [online, seen, operators, allowlist, bans].some((each) => each !== undefined);
}

function byName<T extends { name: string }>(players: readonly T[]): ReadonlyMap<string, T> {
  return new Map(players.map((player) => [player.name.toLowerCase(), player]));
}
