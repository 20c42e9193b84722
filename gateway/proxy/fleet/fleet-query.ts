import * as z from 'zod';
import type { FleetDaemon } from './fleet.ts';

/** What lists are sorted by; with `-` before it, in the opposite order. */
const SORT_KEYS = [
  'name',
  'state',
  'version',
  'servers',
  'players',
  'cpu',
  'memory',
  'disk',
  'backup',
  'seen',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];
const STATES = ['online', 'offline', 'crashed', 'degraded', 'unreported'] as const;

const lines = z.union([z.string(), z.array(z.string())]).transform((given) => [given].flat());

export const fleetQuery = z.object({
  /** Part of the name, the version or a label. */
  search: z.string().max(128).default(''),
  /** `name=value`, or `name` for any value; all must match. */
  label: lines.pipe(z.array(z.string().max(128)).max(16)).default([]),
  state: z.enum(['', ...STATES]).default(''),
  sort: z
    .string()
    .regex(new RegExp(`^-?(?:${SORT_KEYS.join('|')})$`), `must be one of ${SORT_KEYS.join(', ')}, or that with "-"`)
    .default('name'),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type FleetQuery = z.infer<typeof fleetQuery>;

export interface FleetPage {
  /** Daemons that match. */
  total: number;
  page: number;
  limit: number;
  /** Of all daemons that match. */
  summary: { online: number; servers: number; running: number; crashed: number; players: number };
  daemons: FleetDaemon[];
}

/** Filters, sorts and cuts a page. An account has at most 2,000 daemons, so this is simpler than SQL, and alike on both databases. */
export function selectFleet(all: readonly FleetDaemon[], query: FleetQuery): FleetPage {
  const matching = all.filter((daemon) => matches(daemon, query));
  const { page, limit } = query;
  return {
    total: matching.length,
    page,
    limit,
    summary: {
      online: matching.filter(({ state }) => state === 'online').length,
      servers: sum(matching, 'instances'),
      running: sum(matching, 'running'),
      crashed: sum(matching, 'crashed'),
      players: sum(matching, 'players'),
    },
    daemons: sorted(matching, query.sort).slice((page - 1) * limit, page * limit),
  };
}

function sum(daemons: readonly FleetDaemon[], what: 'instances' | 'running' | 'crashed' | 'players'): number {
  return daemons.reduce((total, { telemetry }) => total + (telemetry?.[what] ?? 0), 0);
}

function matches(daemon: FleetDaemon, { search, label, state }: FleetQuery): boolean {
  const { labels, telemetry } = daemon;
  if (state === 'crashed' && !((telemetry?.crashed ?? 0) > 0)) return false;
  if (state === 'degraded' && telemetry?.health !== 'degraded') return false;
  if (state === 'unreported' && telemetry !== null) return false;
  if ((state === 'online' || state === 'offline') && daemon.state !== state) return false;
  for (const one of label) {
    const [name = '', ...value] = one.split('=');
    const has = Object.hasOwn(labels, name) ? labels[name] : undefined;
    if (one !== '' && (has === undefined || (one.includes('=') && has !== value.join('=')))) return false;
  }
  const words = [daemon.name, telemetry?.version ?? '', ...Object.entries(labels).map((pair) => pair.join('='))];
  return words.some((word) => word.toLowerCase().includes(search.trim().toLowerCase()));
}

function sorted(daemons: readonly FleetDaemon[], sort: string): FleetDaemon[] {
  const descending = sort.startsWith('-');
  const value = VALUES[sort.replace('-', '') as SortKey];
  if (!value) return descending ? [...daemons].reverse() : [...daemons];
  const keyed = daemons.map((daemon) => ({ daemon, key: value(daemon) }));
  keyed.sort((a, b) => {
    // What is not known comes last in both orders.
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    const order = a.key < b.key ? -1 : Number(a.key > b.key);
    return descending ? -order : order;
  });
  return keyed.map(({ daemon }) => daemon);
}

/** Lists are sorted by name already. */
const VALUES: Readonly<Record<SortKey, ((daemon: FleetDaemon) => string | number | undefined) | undefined>> = {
  name: undefined,
  state: ({ state, telemetry }) => (state === 'offline' ? 0 : telemetry?.crashed ? 1 : 2),
  version: ({ telemetry }) => telemetry?.version,
  servers: ({ telemetry }) => telemetry?.instances,
  players: ({ telemetry }) => telemetry?.players,
  cpu: ({ telemetry }) => telemetry?.cpuPercent,
  memory: ({ telemetry }) =>
    telemetry === null ? undefined : telemetry.memoryUsedBytes / Math.max(1, telemetry.memoryTotalBytes),
  disk: ({ telemetry }) => telemetry?.diskFreeBytes,
  backup: ({ telemetry }) => telemetry?.lastBackupAt,
  seen: ({ lastSeen }) => lastSeen,
};
