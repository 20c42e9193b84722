import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { playersKey } from '../../../api/query-keys.ts';
import { useChangeSettings, useSettings } from '../../../api/settings.ts';
import { useWords } from '../../../text/section.ts';
import { notifyProblem } from '../../../ui/feedback/notify.tsx';
import { playersText } from './players-text.ts';

/** Whether Mojang is asked for the skins of players, on all servers. For administrators. */
export function SkinsSwitch({ instanceId }: { instanceId: string }) {
  const t = useWords(playersText);
  const { data } = useSettings();
  const save = useChangeSettings();
  const queries = useQueryClient();
  if (!data) return null;
  const change = (skins: boolean) =>
    save.mutate(
      { change: { players: { skins } }, etag: data.etag },
      {
        onSuccess: () => queries.invalidateQueries({ queryKey: playersKey(instanceId) }),
        onError: notifyProblem,
      },
    );
  return (
    <Switch
      label={t('skins')}
      description={t('skinsHint')}
      checked={data.settings.players.skins}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}
