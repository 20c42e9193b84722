import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useLink } from '../../../api/link.ts';
import { useSoftwareOf } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useTestTunnelFromOutside } from '../../../api/tunnel.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { useCopy } from '../../../ui/copy/use-copy.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { tunnelText } from './tunnel-text.ts';

/** An invitation to send, and a test by the hosted proxy, which is outside as friends are. */
export function AskFriend({ instance, address }: { instance: Instance; address: string }) {
  const t = useWords(tunnelText);
  const { copied, copy } = useCopy();
  const link = useLink();
  const test = useTestTunnelFromOutside(instance.id);
  const { milliseconds } = useQuantities();
  const software = useSoftwareOf(instance);
  const { name } = instance;
  const invitation =
    software?.listPing === false
      ? t('otherInvitation', { game: software.title, name, address })
      : t(software?.edition === 'bedrock' ? 'bedrockInvitation' : 'invitation', { name, address });
  return (
    <Stack gap="xs">
      <Group>
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(invitation)}
        >
          {t('copyInvitation')}
        </Button>
        {link.data?.proxy && software?.listPing && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t('testOutside')}
          </Button>
        )}
      </Group>
      {test.error && <ProblemAlert error={test.error} />}
      {test.data && (
        <Alert
          color={test.data.reachable ? 'good' : 'danger'}
          variant="light"
          role="status"
          title={t(test.data.reachable ? 'reachable' : 'unreachable')}
        >
          <Text size="sm">
            {test.data.error ??
              t('answers', { version: test.data.version ?? '', ping: milliseconds(test.data.pingMs ?? 0) })}
          </Text>
        </Alert>
      )}
    </Stack>
  );
}
