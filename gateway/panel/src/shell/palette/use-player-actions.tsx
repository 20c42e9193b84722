import type { SpotlightActionData } from '@mantine/spotlight';
import { IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { loadedPlayers } from '../../api/players.ts';
import type { Instance } from '../../api/transport/client.ts';
import { section, useWords } from '../../text/section.ts';
import { serverName } from '../../ui/display/server-name.ts';

const text = section({
  en: { player: '{player} on {name}' },
  de: { player: '{player} auf {name}' },
  zh: { player: '{name} 的玩家 {player}' },
});

/** Returns a function that returns the pages of a server's players, of those whom the panel has loaded. Makes no request. */
export function usePlayerActions(): (instance: Instance) => SpotlightActionData[] {
  const t = useWords(text);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  return (instance) =>
    loadedPlayers(queries, instance.id).map((player) => ({
      id: `player ${instance.id} ${player}`,
      label: t('player', { player, name: serverName(instance) }),
      leftSection: <IconUser size={18} />,
      onClick: () => navigate(`/servers/${instance.id}/players?${new URLSearchParams({ player })}`),
    }));
}
