import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { playerSkinsQuery } from '../../../api/player-skins.ts';
import { useChangeSettings, useSettings } from '../../../api/settings.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { playersText } from './players-text.ts';

/** Whether Mojang is asked for the skins of players, on all servers. For administrators. */
export function SkinsSwitch({ instance }: { instance: Instance }) {
  const t = useWords(playersText);
  const { data } = useSettings();
  const save = useChangeSettings();
  const queries = useQueryClient();
  if (!data) return null;
  const change = (skins: boolean) =>
    save.mutate(
      { change: { players: { skins } }, etag: data.etag },
      {
        onSuccess: () => queries.invalidateQueries({ queryKey: playerSkinsQuery(instance).queryKey }),
        onError: notifyProblem,
      },
    );
  return (
    <Switch
      label={t('skins')}
      description={t('skinsHint')}
      checked={data.settings.players.skins}
      disabled={save.isPending}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}
