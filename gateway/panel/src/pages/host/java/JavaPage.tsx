import { Button, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { runtimesQuery, useRemoveRuntime, useUpdateRuntime } from '../../../api/runtimes.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { notifyDone, notifyInfo, notifyProblem } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { HostPageProps } from '../host-page-props.ts';
import { javaText } from './java-text.ts';

/** The Java versions that Gamekeeper has installed. It never uses the host's own. */
export function JavaPage({ session }: HostPageProps) {
  const t = useWords(javaText);
  const runtimes = useQuery(runtimesQuery());
  if (runtimes.data?.length === 0)
    return (
      <EmptyState picture="shelf" title={t('emptyTitle')}>
        {t('empty')}
      </EmptyState>
    );
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <Text c="dimmed">{t('words')}</Text>
      {runtimes.isPending && <Skeleton h={120} />}
      {runtimes.isError && <ProblemAlert error={runtimes.error} onRetry={() => void runtimes.refetch()} />}
      {runtimes.data && (
        <Paper>
          <Table.ScrollContainer minWidth={480}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('version')}</Table.Th>
                  <Table.Th>{t('size')}</Table.Th>
                  <Table.Th>{t('usedBy')}</Table.Th>
                  <Table.Th aria-label={t('actions')} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {runtimes.data.map((runtime) => (
                  <RuntimeRow key={runtime.javaVersion} runtime={runtime} mayChange={session.role === 'admin'} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Stack>
  );
}

function RuntimeRow({ runtime, mayChange }: { runtime: Schemas['Runtime']; mayChange: boolean }) {
  const t = useWords(javaText);
  const { size } = useQuantities();
  const { javaVersion, release, sizeBytes, usedBy } = runtime;
  const update = useUpdateRuntime();
  const remove = useRemoveRuntime();
  const runUpdate = () =>
    update.mutate(javaVersion, {
      onSuccess: ({ updated }) => (updated ? notifyDone(t('updated')) : notifyInfo(t('newest'))),
      onError: notifyProblem,
    });
  return (
    <Table.Tr>
      <Table.Td>
        Java {javaVersion}
        <Text size="sm" c="dimmed">
          {release ?? ''}
        </Text>
      </Table.Td>
      <Table.Td>{size(sizeBytes)}</Table.Td>
      <Table.Td>{usedBy.length > 0 ? usedBy.join(', ') : t('unused')}</Table.Td>
      <Table.Td>
        {mayChange && (
          <Group justify="flex-end" gap={4} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              loading={update.isPending}
              aria-label={t('updateOne', { version: javaVersion })}
              onClick={runUpdate}
            >
              {t('update')}
            </Button>
            {usedBy.length === 0 && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="danger"
                loading={remove.isPending}
                onClick={() => remove.mutate(javaVersion, { onError: notifyProblem })}
              >
                {t('remove')}
              </Button>
            )}
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
