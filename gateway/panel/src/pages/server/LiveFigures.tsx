import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Instance, Schemas } from '../../api/client.ts';
import { historyQuery } from '../../api/history.ts';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { serverText } from './server-text.ts';

/** Ten minutes of the finest range. */
const RECENT_POINTS = 60;
const RECENT_STALE_MS = 60_000;

type Figure = 'playersOnline' | 'cpuPercent' | 'memoryUsedMb';

/** Players, CPU and memory now, and how they went lately, which leads to the charts. */
export function LiveFigures({ instance }: { instance: Instance }) {
  const t = useWords(serverText);
  const quantities = useQuantities();
  const { id, cpuPercent, memoryUsedMb, memoryMb, playersOnline, maxPlayers, uptimeSeconds } = instance;
  const shown = [playersOnline, cpuPercent, memoryUsedMb].some((figure) => figure !== undefined);
  const history = useQuery({ ...historyQuery(id, '1h'), enabled: shown, staleTime: RECENT_STALE_MS });
  if (!shown) return null;
  const of = (used: string, all: string | undefined) => (all === undefined ? used : t('of', { used, all }));
  const figures = [
    {
      figure: 'playersOnline',
      label: t('players'),
      value: playersOnline,
      words: (value: number) => of(String(value), maxPlayers?.toString()),
      atLeast: maxPlayers ?? 10,
    },
    { figure: 'cpuPercent', label: t('cpu'), value: cpuPercent, words: quantities.percent, atLeast: 100 },
    {
      figure: 'memoryUsedMb',
      label: t('memory'),
      value: memoryUsedMb,
      words: (value: number) =>
        of(quantities.memory(value), memoryMb === undefined ? undefined : quantities.memory(memoryMb)),
      atLeast: memoryMb ?? 1_024,
    },
  ] as const;
  return (
    <Group gap="lg" mt={6}>
      {figures.map(
        ({ figure, label, value, words, atLeast }) =>
          value !== undefined && (
            <Text key={figure} size="sm">
              <Text span c="dimmed" size="sm">
                {label}{' '}
              </Text>
              {words(value)}{' '}
              <Anchor
                component={Link}
                href={`/servers/${id}/charts`}
                aria-label={`${label}: ${t('charts')}`}
                visibleFrom="sm"
              >
                <Sparkline values={recent(history.data, figure, value)} atLeast={atLeast} />
              </Anchor>
            </Text>
          ),
      )}
      {uptimeSeconds !== undefined && (
        <Text size="sm" c="dimmed" visibleFrom="md">
          {t('uptime', { time: quantities.duration(uptimeSeconds) })}
        </Text>
      )}
    </Group>
  );
}

/** What is on record, and what it is now. */
function recent(history: Schemas['History'] | undefined, figure: Figure, now: number): (number | null)[] {
  const before = history?.points.slice(-RECENT_POINTS).map((point) => point[figure] ?? null) ?? [];
  return [...before, now];
}
