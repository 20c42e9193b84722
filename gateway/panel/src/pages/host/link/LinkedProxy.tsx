import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChangeLink, useUnlink } from '../../../api/link.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { notifyDone, notifyInfo } from '../../../ui/feedback/notify.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { SettingsSection } from '../../../ui/form/SettingsSection.tsx';
import { linkText } from './link-text.ts';
import { type Scopes, ScopesInput } from './ScopesInput.tsx';
import { Telemetry } from './Telemetry.tsx';

export interface LinkedProxyProps {
  proxy: Schemas['LinkedProxy'];
  status: Schemas['LinkStatus'];
}

const COLOURS = { off: 'gray', connecting: 'warning', connected: 'good', refused: 'danger' } as const;

/** The proxy that this computer is linked to, what it may do, and how to unlink. */
export function LinkedProxy({ proxy, status }: LinkedProxyProps) {
  const t = useWords(linkText);
  const unlink = useUnlink();
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      <FormSection title={t('linked')}>
        <Stack>
          <ProxyTable proxy={proxy} status={status} />
          <Group justify="flex-end">
            <Button variant="default" color="danger" onClick={open}>
              {t('unlink')}
            </Button>
          </Group>
        </Stack>
      </FormSection>
      <Ceiling key={proxy.scopes.join(' ')} scopes={proxy.scopes} />
      <Telemetry isOn={proxy.telemetry} />
      <Confirm
        opened={asking}
        onClose={close}
        title={t('unlinkTitle')}
        action={t('unlink')}
        onConfirm={async () => {
          const { proxyTold } = await unlink.mutateAsync(undefined);
          if (proxyTold) notifyDone(t('unlinked'));
          else notifyInfo(t('unlinkedAlone'));
        }}
      >
        {t('unlinkWarning')}
      </Confirm>
    </>
  );
}

function ProxyTable({ proxy, status }: LinkedProxyProps) {
  const t = useWords(linkText);
  const { milliseconds } = useQuantities();
  const latency = status.latencyMs === undefined ? undefined : t('latency', { time: milliseconds(status.latencyMs) });
  const rows = {
    proxy: <Text size="sm">{proxy.issuer}</Text>,
    state: (
      <Group gap="xs">
        <Badge variant="light" color={COLOURS[status.state]} tt="none">
          {t(status.state)}
        </Badge>
        <Text size="sm" c="dimmed">
          {status.error ?? latency}
        </Text>
      </Group>
    ),
    ...(proxy.account !== undefined && { account: <Text size="sm">{proxy.account}</Text> }),
    name: (
      <Text size="sm">
        <bdi>{proxy.name}</bdi>
      </Text>
    ),
    since: <RelativeTime at={proxy.linkedAt} size="sm" />,
  };
  return (
    <Table>
      <Table.Tbody>
        {Object.entries(rows).map(([key, value]) => (
          <Table.Tr key={key}>
            <Table.Th w="30%">{t(key as keyof typeof rows)}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Ceiling({ scopes }: { scopes: Scopes }) {
  const t = useWords(linkText);
  const change = useChangeLink();
  const [chosen, setChosen] = useState(scopes);
  const isChanged = chosen.length !== scopes.length || chosen.some((scope) => !scopes.includes(scope));
  return (
    <SettingsSection
      title={t('limit')}
      hint={t('limitHint')}
      dirty={isChanged && chosen.length > 0}
      busy={change.isPending}
      error={change.error}
      onSave={() => change.mutate({ scopes: chosen })}
      onReset={() => setChosen(scopes)}
    >
      <ScopesInput value={chosen} onChange={setChosen} />
    </SettingsSection>
  );
}
