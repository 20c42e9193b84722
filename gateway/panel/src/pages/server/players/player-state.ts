import { useQueries, useQuery } from '@tanstack/react-query';
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
}

/** Returns a function that finds what is known about a name, which servers compare without case. */
export function usePlayerStates(instance: Instance, lists: readonly PlayerList[]): (name: string) => PlayerState {
  const { data: online = [] } = usePlayers(instance);
  const { data: seen = [] } = useQuery(seenPlayersQuery(instance.id));
  const entries = useQueries({ queries: lists.map((list) => playerListQuery(instance.id, list)) });
  const onlineByName = byName(instance.status === 'running' ? online : []);
  const seenByName = byName(seen);
  const now = useNow();
  const isInForce = ({ expiresAt }: Listed) => expiresAt === undefined || Date.parse(expiresAt) > now;
  const listed = lists.map((list, index) => [list, byName(entries[index]?.data?.filter(isInForce) ?? [])] as const);
  return (name) => {
    const key = name.toLowerCase();
    return {
      name,
      online: onlineByName.get(key),
      seen: seenByName.get(key),
      ...Object.fromEntries(listed.map(([list, players]) => [list, players.get(key)])),
    };
  };
}

function byName<T extends { name: string }>(players: readonly T[]): ReadonlyMap<string, T> {
  return new Map(players.map((player) => [player.name.toLowerCase(), player]));
}
