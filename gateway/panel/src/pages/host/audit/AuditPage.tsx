import { Badge, Button, Group, Paper, Select, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAudit } from '../../../api/audit.ts';
import { useInstances } from '../../../api/instances.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { section, useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { serverName } from '../../../ui/display/server-name.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';

const text = section({
  en: {
    title: 'Audit log',
    who: 'User',
    instance: 'Server',
    when: 'Time',
    what: 'Action',
    result: 'Result',
    done: 'Done',
    refused: 'Rejected',
    anyUser: 'All',
    anyServer: 'All',
    more: 'Show older entries',
    emptyTitle: 'No entries',
    empty: 'Every change is recorded here.',
  },
  de: {
    title: 'Änderungsprotokoll',
    who: 'Benutzer',
    instance: 'Server',
    when: 'Zeit',
    what: 'Aktion',
    result: 'Ergebnis',
    done: 'Erledigt',
    refused: 'Abgelehnt',
    anyUser: 'Alle',
    anyServer: 'Alle',
    more: 'Ältere Einträge anzeigen',
    emptyTitle: 'Keine Einträge',
    empty: 'Hier wird jede Änderung aufgezeichnet.',
  },
  zh: {
    title: '审计日志',
    who: '用户',
    instance: '服务器',
    when: '时间',
    what: '操作',
    result: '结果',
    done: '完成',
    refused: '已拒绝',
    anyUser: '全部',
    anyServer: '全部',
    more: '显示更早的记录',
    emptyTitle: '没有记录',
    empty: '每次更改都会记录在这里。',
  },
});

const TYPING_PAUSE_MS = 300;
const FIRST_ERROR_STATUS = 400;

export function AuditPage() {
  const t = useWords(text);
  const [typed, setTyped] = useState('');
  const [who] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const [instance, setInstance] = useState<string | null>(null);
  const instances = useInstances().data ?? [];
  const audit = useAudit({ who, instance });
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <Group grow maw={480}>
        <TextInput
          label={t('who')}
          placeholder={t('anyUser')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          label={t('instance')}
          placeholder={t('anyServer')}
          clearable
          data={instances.map((each) => ({ value: each.id, label: serverName(each) }))}
          value={instance}
          onChange={setInstance}
        />
      </Group>
      {audit.isError && <ProblemAlert error={audit.error} onRetry={() => void audit.refetch()} />}
      {audit.isPending && <Skeleton h={240} />}
      {audit.isSuccess && entries.length === 0 && (
        <EmptyState picture="shelf" title={t('emptyTitle')}>
          {t('empty')}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <Paper>
          <Table.ScrollContainer minWidth={280}>
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th visibleFrom="md">{t('when')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('who')}</Table.Th>
                  <Table.Th>{t('what')}</Table.Th>
                  <Table.Th>{t('result')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {entries.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      {audit.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {t('more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function EntryRow({ entry }: { entry: Schemas['AuditPage']['entries'][number] }) {
  const t = useWords(text);
  const { at, who, from, method, path, command, status } = entry;
  const rejected = status >= FIRST_ERROR_STATUS;
  return (
    <Table.Tr>
      <Table.Td visibleFrom="md">
        <RelativeTime at={at} size="sm" />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">{who}</Text>
        <Text size="xs" c="dimmed">
          {from}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" hiddenFrom="md">
          {who} · <RelativeTime at={at} c="dimmed" />
        </Text>
        <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {method} {path}
          {command !== undefined && ` › ${command}`}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" tt="none" miw="max-content" color={rejected ? 'danger' : 'good'} title={String(status)}>
          {t(rejected ? 'refused' : 'done')}
        </Badge>
      </Table.Td>
    </Table.Tr>
  );
}
