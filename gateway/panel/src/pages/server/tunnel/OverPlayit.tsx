import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Instance } from '../../../api/transport/client.ts';
import { useSetTunnel } from '../../../api/tunnel.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

const RELEASES = 'https://github.com/playit-cloud/playit-agent/releases';

/** Sets up playit.gg, whose program the owner has installed. */
export function OverPlayit({ instance }: { instance: Instance }) {
  const t = useWords(tunnelText);
  const set = useSetTunnel(instance.id);
  return (
    <Stack>
      <Text size="sm">{t('playitHelp')}</Text>
      <Text size="sm">
        <Anchor href={RELEASES} target="_blank" rel="noreferrer" size="sm">
          {t('playitDownload')}
        </Anchor>
      </Text>
      {set.error && <ProblemAlert error={set.error} />}
      <Group justify="flex-end">
        <Button loading={set.isPending} onClick={() => set.mutate({ provider: 'playit' })}>
          {t('playitSave')}
        </Button>
      </Group>
    </Stack>
  );
}
