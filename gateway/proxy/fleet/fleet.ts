import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Presence } from '../daemons/live-links.ts';
import { resourceOf } from '../oauth/resources.ts';
import type { Database } from '../store/database.ts';
import type { Labels } from './labels.ts';
import type { StoredDetail, StoredInstance } from './telemetry/rows.ts';

/** What a daemon reported last. Times are ISO. */
export interface FleetTelemetry {
  receivedAt: string;
  version: string;
  health: string;
  instances: number;
  running: number;
  crashed: number;
  players: number;
  /** 100 is the whole machine. */
  cpuPercent: number;
  memoryUsedBytes: number;
  memoryTotalBytes: number;
  diskFreeBytes?: number;
  diskTotalBytes?: number;
  lastBackupAt?: string;
}

export interface FleetDaemon {
  daemonId: string;
  name: string;
  /** The `aud` of tokens for it. */
  resource: string;
  state: 'online' | 'offline';
  lastSeen?: string;
  labels: Labels;
  /** `null`: its owner does not allow reports, or it has sent none yet. */
  telemetry: FleetTelemetry | null;
}

export interface FleetInstance extends Omit<StoredInstance, 'createdAt' | 'backupAt'> {
  createdAt: string;
  lastBackupAt?: string;
}

/** The daemons of an account with what they report. */
export interface Fleet {
  /** Sorted by name. */
  ofAccount(accountId: string): Promise<FleetDaemon[]>;
  /** Throws `route_not_found` if the account has no such daemon. */
  find(daemonId: string, accountId: string): Promise<FleetDaemon>;
  /** The labels of each daemon that has any. */
  labels(accountId: string): Promise<ReadonlyMap<string, Labels>>;
  /** Instances of a daemon, and how many more it has. */
  instances(daemonId: string): Promise<{ instances: FleetInstance[]; more: number }>;
}

export function createFleet({ database, connected }: { database: Database } & Presence): Fleet {
  const rowsOf = (accountId: string) =>
    database
      .selectFrom('daemon')
      .leftJoin('telemetry', 'telemetry.daemon_id', 'daemon.id')
      .where('daemon.account_id', '=', accountId)
      .select(['daemon.id', 'daemon.name', 'daemon.seen_at'])
      .select(['received_at', 'version', 'health', 'instances', 'running', 'crashed', 'players', 'cpu_percent'])
      .select(['memory_used', 'memory_total', 'disk_free', 'disk_total', 'backup_at']);
  type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

  async function labelsOf(accountId: string, daemonId?: string): Promise<Map<string, Labels>> {
    let query = database
      .selectFrom('daemon_label')
      .innerJoin('daemon', 'daemon.id', 'daemon_label.daemon_id')
      .where('daemon.account_id', '=', accountId)
      .select(['daemon_label.daemon_id', 'daemon_label.name', 'daemon_label.value']);
    if (daemonId !== undefined) query = query.where('daemon.id', '=', daemonId);
    const labels = new Map<string, Labels>();
    for (const { daemon_id, name, value } of await query.orderBy('daemon_label.name').execute())
      labels.set(daemon_id, { ...labels.get(daemon_id), [name]: value });
    return labels;
  }

  async function toDaemons(rows: readonly Row[], labels: ReadonlyMap<string, Labels>): Promise<FleetDaemon[]> {
    const online = await connected(rows.map(({ id }) => id));
    return rows.map((row) => ({
      daemonId: row.id,
      name: row.name,
      resource: resourceOf(row.id),
      state: online.has(row.id) ? 'online' : 'offline',
      ...(row.seen_at !== null && { lastSeen: isoOf(row.seen_at) }),
      labels: labels.get(row.id) ?? {},
      telemetry: telemetryOf(row),
    }));
  }

  return {
    async ofAccount(accountId) {
      const [rows, labels] = await Promise.all([rowsOf(accountId).execute(), labelsOf(accountId)]);
      const collator = new Intl.Collator('en', { numeric: true });
      return (await toDaemons(rows, labels)).sort((a, b) => collator.compare(a.name, b.name));
    },
    async find(daemonId, accountId) {
      const rows = await rowsOf(accountId).where('daemon.id', '=', daemonId).execute();
      const [found] = await toDaemons(rows, await labelsOf(accountId, daemonId));
      if (found) return found;
      throw new GamekeeperError('route_not_found', 'This account has no such computer.', {
        resolution: 'List the computers with GET /api/fleet.',
      });
    },
    labels: (accountId) => labelsOf(accountId),
    async instances(daemonId) {
      const row = await database
        .selectFrom('telemetry')
        .select('detail')
        .where('daemon_id', '=', daemonId)
        .executeTakeFirst();
      const { instances, more }: StoredDetail = row ? JSON.parse(row.detail) : { instances: [], more: 0 };
      return { instances: instances.map(shownInstance), more };
    },
  };

  function telemetryOf(row: Row): FleetTelemetry | null {
    if (row.received_at === null) return null;
    return {
      receivedAt: isoOf(row.received_at),
      version: row.version!,
      health: row.health!,
      instances: row.instances!,
      running: row.running!,
      crashed: row.crashed!,
      players: row.players!,
      cpuPercent: row.cpu_percent!,
      memoryUsedBytes: row.memory_used!,
      memoryTotalBytes: row.memory_total!,
      ...(row.disk_free !== null && { diskFreeBytes: row.disk_free }),
      ...(row.disk_total !== null && { diskTotalBytes: row.disk_total }),
      ...(row.backup_at !== null && { lastBackupAt: isoOf(row.backup_at) }),
    };
  }
}

function shownInstance({ createdAt, backupAt, ...rest }: StoredInstance): FleetInstance {
  return { ...rest, createdAt: isoOf(createdAt), ...(backupAt !== undefined && { lastBackupAt: isoOf(backupAt) }) };
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
