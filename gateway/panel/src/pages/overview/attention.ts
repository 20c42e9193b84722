import type { Instance, Job, Schemas } from '../../api/transport/client.ts';
import { diskLevel, type Level, tpsLevel } from '../../ui/display/level.ts';
import { failedToStart, phaseOf } from '../../ui/display/phase.ts';

/** A backup should be at most this old. Milliseconds. */
const FRESH_MS = 7 * 24 * 3_600_000;

export type Subject =
  | 'notStarted'
  | 'crashed'
  | 'unresponsive'
  | 'incompatible'
  | 'leftovers'
  | 'lag'
  | 'disk'
  | 'backups'
  | 'failedTasks'
  | 'pausedSchedules';

/** The kind of a job on a server. An import that failed has none. */
export type ServerTask = Exclude<Job['kind'], 'import'>;

/** Something that the owner should look at. `servers` is empty if it is about the computer. */
export interface Concern {
  subject: Subject;
  level: Exclude<Level, 'good'>;
  servers: Instance[];
}

export interface AttentionContext {
  /** Absent for users who may not see it, and until it is read. */
  host?: Schemas['HostState'] | undefined;
  /** The kind of the newest failed job that was not dismissed in this browser, by the id of its server. */
  failedJobs: ReadonlyMap<string, ServerTask>;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Returns what needs attention, the most urgent first. */
export function concernsOf(instances: readonly Instance[], { host, failedJobs, now }: AttentionContext): Concern[] {
  const among = (is: (instance: Instance) => boolean) => instances.filter(is);
  const isPaused = ({ id }: Instance) => host?.pausedSchedules?.includes(id) ?? false;
  const concerns: Concern[] = [
    { subject: 'crashed', level: 'danger', servers: among((each) => hasCrashed(each) && !failedToStart(each)) },
    { subject: 'notStarted', level: 'danger', servers: among(failedToStart) },
    { subject: 'unresponsive', level: 'danger', servers: among(({ degraded }) => degraded === 'unresponsive') },
    { subject: 'lag', level: 'danger', servers: among(({ tps }) => tpsLevel(tps) === 'danger') },
    { subject: 'incompatible', level: 'warning', servers: among(({ degraded }) => degraded === 'incompatible') },
    { subject: 'leftovers', level: 'warning', servers: among(({ degraded }) => degraded === 'leftovers') },
    { subject: 'failedTasks', level: 'warning', servers: among(({ id }) => failedJobs.has(id)) },
    { subject: 'pausedSchedules', level: 'warning', servers: among(isPaused) },
    { subject: 'backups', level: 'warning', servers: withoutBackup(instances, host, now) },
  ];
  const found = concerns.filter(({ servers }) => servers.length > 0);
  const disk = host?.disk ? diskLevel(host.disk.totalBytes - host.disk.freeBytes, host.disk.totalBytes) : 'good';
  if (disk === 'good') return found;
  const concern: Concern = { subject: 'disk', level: disk, servers: [] };
  return disk === 'danger' ? [concern, ...found] : [...found, concern];
}

function hasCrashed(instance: Instance): boolean {
  return phaseOf(instance) === 'crashed';
}

/** Whether a backup was made in the last seven days. `now`: milliseconds since the epoch. */
export function isFresh({ createdAt }: { createdAt: string }, now: number): boolean {
  return now - Date.parse(createdAt) <= FRESH_MS;
}

/** Servers that run, and whose world would be lost with their folder. */
function withoutBackup(instances: readonly Instance[], host: AttentionContext['host'], now: number): Instance[] {
  if (!host?.backups) return [];
  const fresh = new Set(host.backups.filter((backup) => isFresh(backup, now)).map(({ instanceId }) => instanceId));
  return instances.filter((instance) => phaseOf(instance) === 'running' && !fresh.has(instance.id));
}
