import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { historyQuery } from '../../../api/history.ts';
import type { Instance, Schemas } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { Sparkline } from '../../../ui/display/Sparkline.tsx';
import { useNow } from '../../../ui/display/use-now.ts';
import { type Figure, TICK_MS } from '../charts/chart-series.ts';
import { serverText } from '../server-text.ts';

/** Ten minutes of the finest range. */
const RECENT_POINTS = 60;
const RECENT_STALE_MS = 60_000;

interface LiveStat {
  figure: Figure;
  label: string;
  /** As it is kept, for the line; absent: without one. */
  value: number | undefined;
  /** Absent: nothing is known. */
  words: string | undefined;
  /** What the line's height stands for at least. */
  atLeast: number;
}

/** Players, CPU, memory and ticks now, and how they went lately, which leads to the charts. */
export function LiveStats({ instance }: { instance: Instance }) {
  const t = useWords(serverText);
  const quantities = useQuantities();
  const { id, cpuPercent, memoryUsedMb, memoryMb, playersOnline, maxPlayers, tickTimeMs, tps, startedAt } = instance;
  const shown = [playersOnline, cpuPercent, memoryUsedMb].some((figure) => figure !== undefined);
  const history = useQuery({ ...historyQuery(id, '1h'), enabled: shown, staleTime: RECENT_STALE_MS });
  if (!shown) return null;
  const of = (used: string, all: string | undefined) => (all === undefined ? used : t('of', { used, all }));
  const told = (value: number | undefined, say: (value: number) => string) =>
    value === undefined ? undefined : say(value);
  const stats: LiveStat[] = [
    {
      figure: 'playersOnline',
      label: t('players'),
      value: playersOnline,
      words: told(playersOnline, (value) => of(String(value), maxPlayers?.toString())),
      atLeast: maxPlayers ?? 10,
    },
    {
      figure: 'cpuPercent',
      label: t('cpu'),
      value: cpuPercent,
      words: told(cpuPercent, quantities.percent),
      atLeast: 100,
    },
    {
      figure: 'memoryUsedMb',
      label: t('memory'),
      value: memoryUsedMb,
      words: told(memoryUsedMb, (value) => of(quantities.memory(value), told(memoryMb, quantities.memory))),
      atLeast: memoryMb ?? 1_024,
    },
    {
      figure: 'tickTimeMs',
      label: t('tps'),
      value: tickTimeMs,
      words: told(tps, (value) =>
        [quantities.number(value, 1), told(tickTimeMs, quantities.milliseconds)].filter(Boolean).join(' · '),
      ),
      atLeast: TICK_MS,
    },
  ];
  return (
    <Group gap="4px 20px" mt={6}>
      {stats.map(
        ({ figure, label, value, words, atLeast }) =>
          words !== undefined && (
            <Text key={figure} size="sm">
              <Text span c="dimmed" size="sm">
                {label}{' '}
              </Text>
              {words}{' '}
              {value !== undefined && (
                <Anchor
                  component={Link}
                  href={`/servers/${id}/charts`}
                  aria-label={`${label}: ${t('charts')}`}
                  visibleFrom="sm"
                >
                  <Sparkline values={recent(history.data, figure, value)} atLeast={atLeast} />
                </Anchor>
              )}
            </Text>
          ),
      )}
      {startedAt !== undefined && <Uptime since={startedAt} />}
    </Group>
  );
}

/** `since`: milliseconds since the epoch. */
function Uptime({ since }: { since: number }) {
  const t = useWords(serverText);
  const { duration } = useQuantities();
  const now = useNow();
  return (
    <Text size="sm" c="dimmed" visibleFrom="lg">
      {t('uptime', { time: duration(Math.max(0, now - since) / 1_000) })}
    </Text>
  );
}

/** What is on record, and what it is now. */
function recent(history: Schemas['History'] | undefined, figure: Figure, now: number): (number | null)[] {
  const before = history?.points.slice(-RECENT_POINTS).map((point) => point[figure] ?? null) ?? [];
  return [...before, now];
}
