import { Button, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { gamerulesQuery } from '../../../../api/gamerules.ts';
import { useLifecycle } from '../../../../api/instances.ts';
import { useWords } from '../../../../text/section.ts';
import { phaseOf } from '../../../../ui/display/phase.ts';
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert.tsx';
import { notifyFailedStart } from '../../header/notify-failed-start.ts';
import type { TabProps } from '../../tab-props.ts';
import { GameruleField } from './GameruleField.tsx';
import { gamerulesText } from './gamerules-text.ts';

/** The game rules of the world, which only the running game reads and sets. */
export function Gamerules(props: TabProps) {
  const t = useWords(gamerulesText);
  return (
    <Paper p="lg" mt="md" component="section" aria-label={t('title')}>
      <Title order={2} mb="md">
        {t('title')}
      </Title>
      {phaseOf(props.instance) === 'running' ? <Running {...props} /> : <NotRunning {...props} />}
    </Paper>
  );
}

function Running({ instance, session }: TabProps) {
  const t = useWords(gamerulesText);
  const mayChange = session.role === 'admin';
  // Players and commands change them, too.
  const { data, error, refetch } = useQuery({ ...gamerulesQuery(instance.id), staleTime: 0 });
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} />;
  if (data.length === 0) return <Text c="dimmed">{t('none')}</Text>;
  return (
    <Stack>
      <Text c="dimmed">{t(mayChange ? 'hint' : 'adminsOnly')}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {data.map((rule) => (
          <GameruleField key={rule.name} instanceId={instance.id} rule={rule} disabled={!mayChange} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function NotRunning({ instance, session }: TabProps) {
  const t = useWords(gamerulesText);
  const lifecycle = useLifecycle();
  if (instance.status !== 'stopped') return <Text c="dimmed">{t('later')}</Text>;
  return (
    <Stack align="flex-start">
      <Text c="dimmed">{t('stopped')}</Text>
      {session.role !== 'viewer' && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={lifecycle.isPending}
          disabled={instance.activity === 'restoring'}
          onClick={() =>
            lifecycle
              .mutateAsync({ id: instance.id, action: 'start' })
              .catch((error: unknown) => notifyFailedStart(error, instance))
          }
        >
          {t('start')}
        </Button>
      )}
    </Stack>
  );
}
