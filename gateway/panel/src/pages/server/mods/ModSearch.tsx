import { Badge, Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modSearchQuery } from '../../../api/mods.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { InstalledModsProps } from './InstalledMods.tsx';
import { modsText } from './mods-text.ts';

const TYPING_PAUSE_MS = 300;
const PAGE = 20;
const MAX_HITS = 100;

/** Projects on Modrinth that fit this server. Without their icons: the browser makes requests to no other host. */
export function ModSearch({ instanceId, mayChange, onChange }: InstalledModsProps) {
  const t = useWords(modsText);
  const { number } = useQuantities();
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [query] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const search = useQuery(modSearchQuery(instanceId, { query, limit }));
  const { hits = [], total = 0 } = search.data ?? {};
  return (
    <Stack>
      <Title order={2}>{t('find')}</Title>
      <TextInput
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setLimit(PAGE);
        }}
      />
      {search.isPending && <Skeleton h={120} />}
      {search.isError && <ProblemAlert error={search.error} onRetry={() => void search.refetch()} />}
      {search.data && hits.length === 0 && <Text c="dimmed">{t('nothing')}</Text>}
      <Stack component="ul" m={0} p={0} gap="xs" style={{ listStyle: 'none' }}>
        {hits.map(({ projectId, title, description, author, downloads, installed }) => (
          <Paper key={projectId} p="sm" component="li">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Stack gap={2}>
                <Text size="sm">
                  <Text span inherit fw={600}>
                    {title}
                  </Text>{' '}
                  <Text span inherit c="dimmed">
                    {t('by', { author, downloads: number(downloads) })}
                  </Text>
                </Text>
                <Text size="sm">{description}</Text>
              </Stack>
              {installed && (
                <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                  {t('isInstalled')}
                </Badge>
              )}
              {mayChange && !installed && (
                <Button
                  size="compact-sm"
                  variant="default"
                  style={{ flexShrink: 0 }}
                  aria-label={t('installTitle', { name: title })}
                  onClick={() => onChange({ type: 'install', project: projectId, title })}
                >
                  {t('install')}
                </Button>
              )}
            </Group>
          </Paper>
        ))}
      </Stack>
      {hits.length < total && limit < MAX_HITS && (
        <Button
          variant="default"
          loading={search.isPlaceholderData}
          onClick={() => setLimit(Math.min(MAX_HITS, limit + PAGE))}
        >
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}
