import { Anchor, Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { historyQuery } from '../../../api/history.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useQuantities } from '../../../text/quantities.ts';
import { useWords } from '../../../text/section.ts';
import { type Level, memoryLevel, tpsLevel } from '../../../ui/display/level.ts';
import { Rated } from '../../../ui/display/Rated.tsx';
import { useNow } from '../../../ui/display/use-now.ts';
import { recentTps, recentValues, type Stat, TICKS_PER_SECOND } from '../charts/chart-series.ts';
import { asRunning } from '../running-values.ts';
import { serverText } from '../server-text.ts';
import { AfterRestart } from './AfterRestart.tsx';
import { HEIGHT, sparklinePath, WIDTH } from './sparkline-path.ts';

const STALE_AFTER_MS = 60_000;
const MINUTE_MS = 60_000;
/** While the server does not run. */
const UNKNOWN = '–';

interface LiveStat {
  label: string;
  /** The values of its sparkline, oldest first; absent: no sparkline. */
  recent: readonly (number | null)[] | undefined;
  /** Absent: the stat is not shown. */
  formatted: string | undefined;
  /** The value at the top of the sparkline is at least this. */
  minMax: number;
  level?: Level;
  /** What a level other than good means. */
  why?: string;
  /** What it becomes at the next start. */
  after?: ReactNode;
}

/** Current players, CPU, memory and ticks, each with a sparkline that links to the charts. */
export function LiveStats({ instance }: { instance: Instance }) {
  const t = useWords(serverText);
  const quantities = useQuantities();
  const { id, cpuPercent, memoryUsedMb, memoryMb, playersOnline, maxPlayers, tickTimeMs, tps, startedAt } =
    asRunning(instance);
  const shown = [playersOnline, cpuPercent, memoryUsedMb].some((value) => value !== undefined);
  const history = useQuery({ ...historyQuery(id, '1h'), enabled: shown, staleTime: STALE_AFTER_MS });
  const of = (used: string, all: string | undefined) => (all === undefined ? used : t('of', { used, all }));
  const ifKnown = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? undefined : format(value);
  const points = history.data?.points ?? [];
  const recent = (stat: Stat, value: number | undefined) =>
    value === undefined ? undefined : recentValues(points, stat, value);
  const stats: LiveStat[] = [
    {
      label: t('players'),
      recent: recent('playersOnline', playersOnline),
      formatted: of(ifKnown(playersOnline, String) ?? UNKNOWN, maxPlayers?.toString()),
      minMax: maxPlayers ?? 10,
      after: <AfterRestart instance={instance} setting="maxPlayers" />,
    },
    {
      label: t('cpu'),
      recent: recent('cpuPercent', cpuPercent),
      formatted: ifKnown(cpuPercent, quantities.percent) ?? UNKNOWN,
      minMax: 100,
    },
    {
      label: t('memory'),
      recent: recent('memoryUsedMb', memoryUsedMb),
      formatted: of(ifKnown(memoryUsedMb, quantities.memory) ?? UNKNOWN, ifKnown(memoryMb, quantities.memory)),
      minMax: memoryMb ?? 1_024,
      level: memoryLevel(memoryUsedMb, memoryMb),
      why: t('muchMemory'),
      after: (
        <AfterRestart
          instance={instance}
          setting="memoryMb"
          format={(megabytes) => quantities.memory(Number(megabytes))}
        />
      ),
    },
    {
      label: t('tps'),
      recent: tps === undefined ? undefined : recentTps(points, tps),
      formatted: ifKnown(tps, (value) =>
        [quantities.number(value, 1), ifKnown(tickTimeMs, quantities.milliseconds)].filter(Boolean).join(' · '),
      ),
      minMax: TICKS_PER_SECOND,
      level: tpsLevel(tps),
      why: t('lags'),
    },
  ];
  return (
    <Box className="live-stats">
      {stats.map(
        ({ label, recent, formatted, minMax, level = 'good', why = '', after }) =>
          formatted !== undefined && (
            <Text key={label} size="sm">
              <Text span c="dimmed" size="sm">
                {label}{' '}
              </Text>
              <Rated level={level} why={why}>
                {formatted}
              </Rated>{' '}
              {after}
              {recent !== undefined && (
                <Anchor
                  component={Link}
                  href={`/servers/${id}/charts`}
                  aria-label={`${label}: ${t('charts')}`}
                  visibleFrom="sm"
                  // The tab of the charts is one stop for all.
                  tabIndex={-1}
                >
                  <Sparkline values={recent} minMax={minMax} />
                </Anchor>
              )}
            </Text>
          ),
      )}
      {startedAt !== undefined && <Uptime since={startedAt} />}
    </Box>
  );
}

/** `since`: milliseconds since the epoch. */
function Uptime({ since }: { since: number }) {
  const t = useWords(serverText);
  const { duration } = useQuantities();
  const now = useNow();
  return (
    <Text size="sm" c="dimmed" visibleFrom="lg">
      {now - since < MINUTE_MS ? t('justStarted') : t('uptime', { time: duration((now - since) / 1_000) })}
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
        stroke="var(--mantine-color-accent-5)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
