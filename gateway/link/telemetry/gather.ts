import { VERSION } from '../../../shared/domain/version.ts';
import { MOST_REPORTED, type ReportedInstance, type TelemetryReport } from '../../../shared/node/link/telemetry.ts';
import { createMachineUsage } from '../../metrics/machine-usage.ts';
import type { InstanceChange, InstanceRecord, InstanceView } from '../../upstream/instance-view.ts';
import type { Stats } from '../../upstream/stats.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** What a daemon reports to its proxy, if its owner allows it (docs/remote-access.md). */
export interface TelemetrySource {
  read(): Promise<TelemetryReport>;
  /** Calls `listener` when something has changed that should be reported soon. Returns how to stop. */
  onChange(listener: () => void): () => void;
}

export interface TelemetrySourceOptions {
  view: InstanceView;
  stats: () => Promise<Stats>;
  /** Resolves to the time of the newest good backup of each instance, milliseconds. */
  backups: () => Promise<ReadonlyMap<string, number>>;
  /** The data directory. */
  folder: string | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export function createTelemetrySource({ view, stats, backups, folder, now }: TelemetrySourceOptions): TelemetrySource {
  const usage = createMachineUsage(folder);
  return {
    async read() {
      const [machine, known, newest] = await Promise.all([usage(), stats(), backups()]);
      const records = Array.from(view.all()).sort((a, b) => a.config.id.localeCompare(b.config.id));
      const at = now();
      return {
        type: 'telemetry',
        version: VERSION,
        health: isHealthy(records, known) ? 'ok' : 'degraded',
        ...machine,
        instances: records.slice(0, MOST_REPORTED).map((record) => describe(record, newest, at)),
        moreInstances: Math.max(0, records.length - MOST_REPORTED),
      };
    },
    onChange: (listener) =>
      view.onChange((change) => {
        if (matters(change)) listener();
      }),
  };
}

function isHealthy(records: readonly InstanceRecord[], { daemon, jobs, supervisors }: Stats): boolean {
  const answers = [daemon, ...(jobs ? [jobs] : []), ...supervisors.values()];
  return answers.every(({ up }) => up) && records.every(({ runtime }) => runtime.degraded === undefined);
}

/** No names of players, no lines of the console, no addresses. */
function describe({ config, runtime }: InstanceRecord, backups: ReadonlyMap<string, number>, now: number) {
  const { id, name, software, createdAt } = config;
  const { phase, playersOnline, maxPlayers, cpuPercent, memoryUsedMb } = runtime;
  const backedUpAt = backups.get(id);
  return {
    id,
    name,
    software,
    phase,
    age: secondsFrom(Date.parse(createdAt), now),
    ...(playersOnline !== undefined && { players: playersOnline }),
    ...(maxPlayers !== undefined && { maxPlayers }),
    ...(cpuPercent !== undefined && { cpuPercent: Math.round(cpuPercent * 10) / 10 }),
    ...(memoryUsedMb !== undefined && { memoryBytes: Math.round(memoryUsedMb * BYTES_PER_MIB) }),
    ...(backedUpAt !== undefined && { backupAge: secondsFrom(backedUpAt, now) }),
  } satisfies ReportedInstance;
}

function secondsFrom(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / 1000));
}

function matters({ before, after }: InstanceChange): boolean {
  return (
    before?.runtime.phase !== after?.runtime.phase ||
    before?.runtime.playersOnline !== after?.runtime.playersOnline ||
    before?.config.name !== after?.config.name ||
    // A backup may have ended.
    before?.runtime.activity !== after?.runtime.activity
  );
}
