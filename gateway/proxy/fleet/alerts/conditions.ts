import type { StoredDetail, StoredInstance } from '../telemetry/rows.ts';

export const ALERT_KINDS = ['offline', 'crash', 'backup', 'disk'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const OFFLINE_S = 5 * 60;
const BACKUP_S = 26 * 3_600;
const GIB = 1024 ** 3;
/** Nearly full: less than both of these, or less than 1 GiB in any case. */
const LOW_DISK = { share: 0.05, bytes: 20 * GIB, always: GIB };
/** An alert ends only once there is this much more space, so that it does not come and go. */
const RECOVERED = 1.2;

/** What is known about a daemon. Times are seconds since 1970. */
export interface Watched {
  name: string;
  offlineSince: number | null;
  /** So many daemons have just vanished that the proxy itself may be at fault. */
  isMuted: boolean;
  detail: StoredDetail;
  diskFree: number | null;
  diskTotal: number | null;
}

export interface Condition {
  kind: AlertKind;
  /** The id of a server, or ''. */
  subject: string;
}

export function keyOf({ kind, subject }: Condition): string {
  return `${kind} ${subject}`;
}

/**
 * Returns what is wrong with a daemon. `open` has the keys of what was wrong before. Of a daemon that is away nothing new is known: what was wrong
 * stays wrong.
 */
export function conditionsOf(watched: Watched, open: ReadonlySet<string>, now: number): Condition[] {
  const { offlineSince, isMuted, detail } = watched;
  const servers = (kind: AlertKind, isWrong: (instance: StoredInstance) => boolean): Condition[] =>
    detail.instances.filter(isWrong).map(({ id }) => ({ kind, subject: id }));
  if (offlineSince !== null) {
    const before = [...open].filter((key) => !key.startsWith('offline '));
    const isOffline = open.has('offline ') || (now - offlineSince >= OFFLINE_S && !isMuted);
    return [...(isOffline ? [{ kind: 'offline' as const, subject: '' }] : []), ...before.map(conditionOf)];
  }
  return [
    ...servers('crash', ({ phase }) => phase === 'crashed'),
    // A server that does not run does not change. Once reported, only a backup ends it.
    ...servers(
      'backup',
      ({ id, phase, backupAt, createdAt }) =>
        now - (backupAt ?? createdAt) > BACKUP_S && (phase === 'running' || open.has(`backup ${id}`)),
    ),
    ...(isDiskLow(watched, open.has('disk ')) ? [{ kind: 'disk' as const, subject: '' }] : []),
  ];
}

function conditionOf(key: string): Condition {
  const [kind, subject = ''] = key.split(' ');
  return { kind: kind as AlertKind, subject };
}

function isDiskLow({ diskFree, diskTotal }: Watched, wasLow: boolean): boolean {
  if (diskFree === null || diskTotal === null) return false;
  const free = wasLow ? diskFree / RECOVERED : diskFree;
  return free < LOW_DISK.always || (free < LOW_DISK.share * diskTotal && free < LOW_DISK.bytes);
}

/** Says what is wrong, or was. */
export function describeAlert(
  { kind, subject }: Condition,
  { name, detail }: Pick<Watched, 'name' | 'detail'>,
  isFiring: boolean,
): string {
  const server = detail.instances.find(({ id }) => id === subject)?.name ?? subject;
  const texts: Record<AlertKind, [firing: string, resolved: string]> = {
    offline: [`${name} has been offline for 5 minutes.`, `${name} is online again.`],
    crash: [`${server} on ${name} has crashed.`, `${server} on ${name} is no longer crashed.`],
    backup: [`${server} on ${name} has had no good backup for 26 hours.`, `${server} on ${name} has a backup again.`],
    disk: [`The disk of ${name} is nearly full.`, `The disk of ${name} has space again.`],
  };
  return texts[kind][isFiring ? 0 : 1];
}
