import { Button, Group, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { EmptyState, type EmptyStateProps } from '../feedback/EmptyState.tsx';
import { ProblemAlert } from '../feedback/ProblemAlert.tsx';
import { projectsText } from './projects-text.ts';
import type { ProjectWords } from './use-project-words.ts';

interface Project {
  projectId: string;
  title: string;
  description: string;
  author: string;
  downloads: number;
}

interface ProjectSearchProps<Hit extends Project> extends Pick<EmptyStateProps, 'order'> {
  words: ProjectWords;
  search: UseQueryResult<{ hits: Hit[]; total: number }>;
  label: string;
  /** Shown if nothing was found. */
  nothing: string;
  /** What can be done with a project. */
  children: (hit: Hit) => ReactNode;
}

/** Finds projects on Modrinth. Without their icons: the browser makes requests to no other host. */
export function ProjectSearch<Hit extends Project>({
  words,
  search,
  label,
  nothing,
  order = 2,
  children,
}: ProjectSearchProps<Hit>) {
  const t = useWords(projectsText);
  const { number } = useQuantities();
  const { hits = [], total = 0 } = search.data ?? {};
  return (
    <>
      <TextInput
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={words.typed}
        onChange={(event) => words.type(event.currentTarget.value)}
      />
      {search.isPending && <Skeleton h={120} />}
      {search.isError && <ProblemAlert error={search.error} onRetry={() => void search.refetch()} />}
      {search.data && hits.length === 0 && <EmptyState picture="gap" title={nothing} order={order} brief />}
      <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
        {hits.map((hit) => (
          <Paper key={hit.projectId} p="sm" component="li">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Stack gap={2}>
                <Text size="sm">
                  <Text span inherit fw={600}>
                    {hit.title}
                  </Text>{' '}
                  <Text span inherit c="dimmed">
                    {t('by', { author: hit.author, downloads: number(hit.downloads) })}
                  </Text>
                </Text>
                <Text size="sm">{hit.description}</Text>
              </Stack>
              {children(hit)}
            </Group>
          </Paper>
        ))}
      </Stack>
      {hits.length < total && words.more && (
        <Button variant="default" loading={search.isPlaceholderData} onClick={words.more}>
          {t('more')}
        </Button>
      )}
    </>
  );
}
