import { Anchor, Button, Container, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useInstances } from '../api/instances.ts';
import { roleOn } from '../api/roles.ts';
import type { Session } from '../api/session.ts';
import { useSoftwareName } from '../api/software.ts';
import type { Instance } from '../api/transport/client.ts';
import { useQuantities } from '../text/quantities.ts';
import { section, useWords } from '../text/section.ts';
import { CopyText } from '../ui/copy/CopyText.tsx';
import { PhaseMark } from '../ui/display/PhaseMark.tsx';
import { phaseOf, usePhaseLabel } from '../ui/display/phase.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../ui/feedback/ProblemAlert.tsx';
import { LifecycleButtons } from './server/header/LifecycleButtons.tsx';
import { playerCount, serverAddress } from './server/labels.ts';
import { serverText } from './server/server-text.ts';

const text = section({
  en: {
    title: 'Servers',
    newServer: 'New server',
    emptyTitle: 'No servers yet',
    empty: 'Create your first server: choose the software, and Gamekeeper downloads everything else.',
    emptyViewer: 'No server has been shared with you yet.',
  },
  de: {
    title: 'Server',
    newServer: 'Neuer Server',
    emptyTitle: 'Noch keine Server',
    empty: 'Legen Sie Ihren ersten Server an: Wählen Sie die Software, Gamekeeper lädt alles Weitere herunter.',
    emptyViewer: 'Für Sie ist noch kein Server freigegeben.',
  },
  zh: {
    title: '服务器',
    newServer: '新建服务器',
    emptyTitle: '还没有服务器',
    empty: '创建您的第一个服务器：选择软件，其余内容由 Gamekeeper 下载。',
    emptyViewer: '还没有与您共享的服务器。',
  },
});

export function Dashboard({ session }: { session: Session }) {
  const t = useWords(text);
  const instances = useInstances();
  const mayCreate = session.role === 'admin';
  const newServer = (
    <Button component={Link} href="/new" leftSection={<IconPlus size={16} />}>
      {t('newServer')}
    </Button>
  );
  if (instances.data?.length === 0)
    return (
      <EmptyState title={t('emptyTitle')} action={mayCreate && newServer}>
        {mayCreate ? t('empty') : t('emptyViewer')}
      </EmptyState>
    );
  return (
    <Container fluid p="md">
      <Group justify="space-between" mb="md">
        <Title order={1}>{t('title')}</Title>
        {mayCreate && newServer}
      </Group>
      {instances.isError && !instances.data && (
        <ProblemAlert error={instances.error} onRetry={() => void instances.refetch()} />
      )}
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
        {instances.isPending && [1, 2, 3].map((key) => <Skeleton key={key} h={132} />)}
        {instances.data?.map((instance) => (
          <ServerCard key={instance.id} instance={instance} session={session} />
        ))}
      </SimpleGrid>
    </Container>
  );
}

function ServerCard({ instance, session }: { instance: Instance; session: Session }) {
  const t = useWords(serverText);
  const label = usePhaseLabel();
  const quantities = useQuantities();
  const softwareName = useSoftwareName();
  const { id, name, playersOnline, cpuPercent, memoryUsedMb } = instance;
  const stats = [
    playersOnline === undefined ? undefined : `${t('players')} ${playerCount(instance)}`,
    cpuPercent === undefined ? undefined : `${t('cpu')} ${quantities.percent(cpuPercent)}`,
    memoryUsedMb === undefined ? undefined : `${t('memory')} ${quantities.memory(memoryUsedMb)}`,
  ].filter((stat) => stat !== undefined);
  return (
    <Paper p="md" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <PhaseMark phase={phaseOf(instance)} />
          <Anchor component={Link} href={`/servers/${id}`} fw={600} c="inherit" truncate title={name}>
            <bdi>{name}</bdi>
          </Anchor>
        </Group>
        <Group justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm">{label(instance)}</Text>
            <Text size="sm" c="dimmed">
              {softwareName(instance)}
            </Text>
          </div>
          {roleOn(session, id) !== 'viewer' && <LifecycleButtons instance={instance} compact calm />}
        </Group>
        <Group justify="space-between" gap="xs">
          <CopyText value={serverAddress(instance)} />
          <Text size="sm">{stats.join(' · ')}</Text>
        </Group>
      </Stack>
    </Paper>
  );
}
