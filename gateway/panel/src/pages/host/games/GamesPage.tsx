import { Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isLocalAdmin } from '../../../api/roles.ts';
import { softwareProblemsQuery, useSoftware } from '../../../api/software.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { HostPageProps } from '../host-page-props.ts';
import { AddKind } from './AddKind.tsx';
import { gamesText } from './games-text.ts';
import { GROUPS, groupKinds } from './group-kinds.ts';
import { KindCard } from './KindCard.tsx';

/** The kinds of servers: those that ship, and the owner's. */
export function GamesPage({ session }: HostPageProps) {
  const t = useWords(gamesText);
  const software = useSoftware();
  const [adding, { open, close }] = useDisclosure(false);
  const groups = groupKinds(software.data ?? []);
  // A kind decides which program runs, so nobody adds one through a hosted proxy.
  const mayAdd = isLocalAdmin(session);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{t('title')}</Title>
        {mayAdd && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('add')}
          </Button>
        )}
      </Group>
      <Text c="dimmed">{t('words')}</Text>
      <FileProblems />
      {software.isPending && <Skeleton h={320} />}
      {software.isError && <ProblemAlert error={software.error} onRetry={() => void software.refetch()} />}
      {GROUPS.map(
        (group) =>
          groups[group].length > 0 && (
            <Stack key={group} gap="xs" component="section" aria-label={t(group)}>
              <Title order={2}>{t(group)}</Title>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
                {groups[group].map((kind) => (
                  <KindCard
                    key={kind.kind}
                    software={kind}
                    mayCreate={session.role === 'admin'}
                    mayRemove={mayAdd && kind.own}
                  />
                ))}
              </SimpleGrid>
            </Stack>
          ),
      )}
      {adding && <AddKind onClose={close} />}
    </Stack>
  );
}

function FileProblems() {
  const t = useWords(gamesText);
  const problems = useQuery(softwareProblemsQuery()).data ?? [];
  if (problems.length === 0) return null;
  return (
    <Paper p="md" component="section" aria-label={t('problems')}>
      <Stack gap="xs">
        <Title order={2}>{t('problems')}</Title>
        <Text size="sm" c="dimmed">
          {t('problemsWords')}
        </Text>
        {problems.map(({ file, problem }) => (
          <div key={file}>
            <Text size="sm" fw={600} className="breakable">
              {file}
            </Text>
            <Text size="sm" className="breakable">
              {problem}
            </Text>
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
