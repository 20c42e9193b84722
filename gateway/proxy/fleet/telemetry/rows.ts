import type { Insertable } from 'kysely';
import type { ReportedInstance, TelemetryReport } from '../../../../shared/node/link/telemetry.ts';
import type { TelemetryHourRow, TelemetryRow, TelemetrySampleRow } from '../../store/fleet-schema.ts';

export const HOUR_S = 3_600;

/** A report of a daemon. */
export interface Received {
  daemonId: string;
  /** Seconds since 1970, by the proxy's clock. */
  at: number;
  report: TelemetryReport;
}

/** What is kept of an instance, as JSON. Times are seconds since 1970. */
export interface StoredInstance extends Omit<ReportedInstance, 'age' | 'backupAge'> {
  createdAt: number;
  backupAt?: number | undefined;
}

export interface StoredDetail {
  instances: StoredInstance[];
  /** Instances that are not in the list. */
  more: number;
}

export function latestRow({ daemonId, at, report }: Received): Insertable<TelemetryRow> {
  const instances = report.instances.map((instance) => stored(instance, at));
  const backups = instances.flatMap(({ backupAt }) => backupAt ?? []);
  return {
    daemon_id: daemonId,
    received_at: at,
    version: report.version,
    health: report.health,
    instances: instances.length + report.moreInstances,
    running: countOf(report, 'running'),
    crashed: countOf(report, 'crashed'),
    players: playersOf(report),
    cpu_percent: report.cpuPercent,
    memory_used: report.memory.usedBytes,
    memory_total: report.memory.totalBytes,
    disk_free: report.disk?.freeBytes ?? null,
    disk_total: report.disk?.totalBytes ?? null,
    backup_at: backups.length > 0 ? Math.max(...backups) : null,
    detail: JSON.stringify({ instances, more: report.moreInstances } satisfies StoredDetail),
  };
}

export function sampleRow({ daemonId, at, report }: Received): TelemetrySampleRow {
  return {
    daemon_id: daemonId,
    at,
    running: countOf(report, 'running'),
    players: playersOf(report),
    cpu_percent: report.cpuPercent,
    memory_used: report.memory.usedBytes,
    disk_free: report.disk?.freeBytes ?? null,
  };
}

/** Returns one row for each daemon and hour: a statement must not change a row twice. */
export function hourRows(samples: readonly TelemetrySampleRow[]): TelemetryHourRow[] {
  const rows = new Map<string, TelemetryHourRow>();
  for (const { daemon_id, at, players, cpu_percent, memory_used } of samples) {
    const hour = at - (at % HOUR_S);
    const key = `${daemon_id} ${hour}`;
    const row = rows.get(key);
    if (!row) {
      rows.set(key, {
        daemon_id,
        hour,
        samples: 1,
        players_sum: players,
        players_max: players,
        cpu_sum: cpu_percent,
        cpu_max: cpu_percent,
        memory_sum: memory_used,
        memory_max: memory_used,
      });
      continue;
    }
    row.samples++;
    row.players_sum += players;
    row.cpu_sum += cpu_percent;
    row.memory_sum += memory_used;
    row.players_max = Math.max(row.players_max, players);
    row.cpu_max = Math.max(row.cpu_max, cpu_percent);
    row.memory_max = Math.max(row.memory_max, memory_used);
  }
  return [...rows.values()];
}

function stored({ age, backupAge, ...rest }: ReportedInstance, at: number): StoredInstance {
  return { ...rest, createdAt: at - age, ...(backupAge !== undefined && { backupAt: at - backupAge }) };
}

function countOf({ instances }: TelemetryReport, phase: ReportedInstance['phase']): number {
  return instances.filter((instance) => instance.phase === phase).length;
}

function playersOf({ instances }: TelemetryReport): number {
  return instances.reduce((sum, { players = 0 }) => sum + players, 0);
}
