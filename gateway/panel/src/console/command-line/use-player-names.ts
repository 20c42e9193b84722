import { useQuery } from '@tanstack/react-query';
import { seenPlayersQuery, usePlayers } from '../../api/players.ts';
import type { Instance } from '../../api/transport/client.ts';

/** Returns the names of players: who is online first and, with `withSeen`, who was on the running server before. */
export function usePlayerNames(instance: Instance, { withSeen }: { withSeen: boolean }): string[] {
  const { data: online = [] } = usePlayers(instance);
  const isAsked = withSeen && instance.status === 'running';
  const { data: seen = [] } = useQuery({ ...seenPlayersQuery(instance.id), enabled: isAsked });
  return [...new Set([...online, ...seen].map(({ name }) => name))];
}
