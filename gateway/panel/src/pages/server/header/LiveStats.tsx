import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { historyQuery } from '../../../api/history.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { useNow } from '../../../ui/display/use-now.ts';
import { recentValues, type Stat, TICK_MS } from '../charts/chart-series.ts';
import { serverText } from '../server-text.ts';
import { HEIGHT, sparklinePath, WIDTH } from './sparkline-path.ts';

const STALE_AFTER_MS = 60_000;

interface LiveStat {
  stat: Stat;
  label: string;
  /** Absent: no sparkline. */
  value: number | undefined;
  /** Absent: the stat is not shown. */
  formatted: string | undefined;
  /** The value at the top of the sparkline is at least this. */
  minMax: number;
}

/** Current players, CPU, memory and ticks, each with a sparkline that links to the charts. */
export function LiveStats({ instance }: { instance: Instance }) {
  const t = useWords(serverText);
  const quantities = useQuantities();
  const { id, cpuPercent, memoryUsedMb, memoryMb, playersOnline, maxPlayers, tickTimeMs, tps, startedAt } = instance;
  const shown = [playersOnline, cpuPercent, memoryUsedMb].some((value) => value !== undefined);
  const history = useQuery({ ...historyQuery(id, '1h'), enabled: shown, staleTime: STALE_AFTER_MS });
  if (!shown) return null;
  const of = (used: string, all: string | undefined) => (all === undefined ? used : t('of', { used, all }));
  const ifKnown = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? undefined : format(value);
  const stats: LiveStat[] = [
    {
      stat: 'playersOnline',
      label: t('players'),
      value: playersOnline,
      formatted: ifKnown(playersOnline, (value) => of(String(value), maxPlayers?.toString())),
      minMax: maxPlayers ?? 10,
    },
    {
      stat: 'cpuPercent',
      label: t('cpu'),
      value: cpuPercent,
      formatted: ifKnown(cpuPercent, quantities.percent),
      minMax: 100,
    },
    {
      stat: 'memoryUsedMb',
      label: t('memory'),
      value: memoryUsedMb,
      formatted: ifKnown(memoryUsedMb, (value) => of(quantities.memory(value), ifKnown(memoryMb, quantities.memory))),
      minMax: memoryMb ?? 1_024,
    },
    {
      stat: 'tickTimeMs',
      label: t('tps'),
      value: tickTimeMs,
      formatted: ifKnown(tps, (value) =>
        [quantities.number(value, 1), ifKnown(tickTimeMs, quantities.milliseconds)].filter(Boolean).join(' · '),
      ),
      minMax: TICK_MS,
    },
  ];
  return (
    <Group gap="4px 20px" mt={6}>
      {stats.map(
        ({ stat, label, value, formatted, minMax }) =>
          formatted !== undefined && (
            <Text key={stat} size="sm">
              <Text span c="dimmed" size="sm">
                {label}{' '}
              </Text>
              {formatted}{' '}
              {value !== undefined && (
                <Anchor
                  component={Link}
                  href={`/servers/${id}/charts`}
                  aria-label={`${label}: ${t('charts')}`}
                  visibleFrom="sm"
                >
                  <Sparkline values={recentValues(history.data?.points ?? [], stat, value)} minMax={minMax} />
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

/** Hidden from screen readers: the current value stands next to it. */
function Sparkline({ values, minMax }: { values: readonly (number | null)[]; minMax: number }) {
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" style={{ verticalAlign: 'middle' }}>
      <path
        d={sparklinePath(values, minMax)}
        fill="none"
        stroke="var(--mantine-color-moss-6)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
