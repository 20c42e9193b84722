import { Alert, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Instance, Schemas } from '../../../api/transport/client.ts';
import { useSetTunnel, useTestTunnel } from '../../../api/tunnel.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { AskFriend } from './AskFriend.tsx';
import { tunnelText } from './tunnel-text.ts';

const COLOURS = { off: 'gray', connecting: 'warning', up: 'good', failed: 'danger' } as const;

export interface TunnelStateProps {
  instance: Instance;
  settings: Schemas['TunnelSettings'];
  tunnel: Schemas['TunnelResponse'];
}

/** The address to share, whether it works, and how to change it. */
export function TunnelState({ instance, settings, tunnel }: TunnelStateProps) {
  const t = useWords(tunnelText);
  const test = useTestTunnel(instance.id);
  const set = useSetTunnel(instance.id);
  const [asking, { open, close }] = useDisclosure(false);
  const { state = 'off', error, claimUrl } = tunnel;
  return (
    <FormSection title={t('title')} {...(state === 'off' && { hint: t('offHint') })}>
      <Stack>
        <Badge variant="light" color={COLOURS[state]} tt="none" role="status">
          {t(state)}
        </Badge>
        {error !== undefined && (
          <Alert color={state === 'failed' ? 'danger' : 'warning'} variant="light" title={t('problem')}>
            <span lang="en">{error}</span>
          </Alert>
        )}
        {claimUrl !== undefined && (
          <Alert variant="light" title={t('claimTitle')}>
            <Button component="a" href={claimUrl} target="_blank" rel="noreferrer" size="xs">
              {t('claim')}
            </Button>
          </Alert>
        )}
        <Facts settings={settings} tunnel={tunnel} />
        {tunnel.tunnelAddress !== '' && <AskFriend instance={instance} address={tunnel.tunnelAddress} />}
        {test.error && <ProblemAlert error={test.error} />}
        <Group justify="flex-end">
          <Button variant="default" color="danger" onClick={open}>
            {t('remove')}
          </Button>
          <Button loading={test.isPending} disabled={state === 'off'} onClick={() => test.mutate()}>
            {t('test')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={asking}
        onClose={close}
        title={t('removeTitle')}
        action={t('remove')}
        onConfirm={() => set.mutateAsync({ provider: null })}
      >
        {t('removeWarning')}
      </Confirm>
    </FormSection>
  );
}

function Facts({ settings, tunnel }: Omit<TunnelStateProps, 'instance'>) {
  const t = useWords(tunnelText);
  const { milliseconds } = useQuantities();
  const { tunnelAddress, numericAddress, pingMs, lastCheckedAt, hostKey } = tunnel;
  const way = useWay(settings);
  const address = tunnelAddress || (settings.provider === 'static' ? settings.address : undefined);
  const rows: [keyof typeof tunnelText.en, ReactNode][] = [
    ['address', address && <CopyText value={address} monospace />],
    ['leadsTo', numericAddress && <CopyText value={numericAddress} monospace />],
    ['ping', pingMs >= 0 && <Text size="sm">{milliseconds(pingMs)}</Text>],
    ['checked', lastCheckedAt && <RelativeTime at={lastCheckedAt} size="sm" />],
    ['way', <Text size="sm">{way}</Text>],
    ['hostKey', hostKey && <CopyText value={hostKey} monospace />],
  ];
  return (
    <Table layout="fixed">
      <Table.Tbody>
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w="34%">{t(name)}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

/** How players get here, in words. */
function useWay(settings: Schemas['TunnelSettings']): string {
  const t = useWords(tunnelText);
  switch (settings.provider) {
    case 'ssh':
      return t('overSsh', { server: `${settings.username}@${settings.host}` });
    case 'frp':
      return t('overFrp', { server: settings.serverAddr });
    case 'playit':
      return 'playit.gg';
    case 'relay':
      return t('overProxy');
    case 'static':
      return t(settings.mapping === 'auto' ? 'forwardedByRouter' : 'forwarded');
    case null:
      return '';
  }
}
