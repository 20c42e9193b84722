import { Button, Container, Group, SimpleGrid, Skeleton, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useInstances } from '../../api/instances.ts';

import type { Session } from '../../api/session.ts';

import { section, useWords } from '../../text/section.ts';

import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { ServerCard } from './ServerCard.tsx';

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

/** The page that the panel opens on: all servers that the user may see. */
export function Overview({ session }: { session: Session }) {
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
      <EmptyState picture="keep" title={t('emptyTitle')} action={mayCreate && newServer}>
        {mayCreate ? t('empty') : t('emptyViewer')}
      </EmptyState>
    );
  return (
    <Container>
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
