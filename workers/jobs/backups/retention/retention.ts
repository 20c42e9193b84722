import type { BackupReason } from '../../../../shared/schema/backup.ts';
import type { RetentionSettings } from '../../../../shared/schema/backup-settings.ts';

export interface RetainedBackup {
  backupId: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  reason: BackupReason;
  pinned: boolean;
  /** Known to be useless: neither the archive nor a copy is whole. */
  damaged: boolean;
  /** Being read, restored or copied. */
  busy: boolean;
}

const DAY_MS = 86_400_000;
/** Backups made before a restore serve to undo it. The newest few are kept, whatever the rules say. */
const SAFETY_COUNT = 3;

/**
 * Returns the backups of one instance that the rules no longer keep. A backup stays if any rule keeps it, if it is pinned or busy, or if
 * it is the newest undamaged one. Damaged backups do not count towards the rules; neither do backups dated after `now`: the clock was set
 * back, so their order is unknown until it has caught up. Days, weeks (from Monday) and months are in UTC. Without rules all stay. Pure:
 * `now` is in milliseconds since the epoch.
 */
export function backupsToRemove<One extends RetainedBackup>(
  backups: readonly One[],
  rules: RetentionSettings,
  now: number,
): One[] {
  if (Object.values(rules).every((rule) => rule === undefined)) return [];
  const newestFirst = backups.toSorted((a, b) => b.createdAt - a.createdAt || (a.backupId < b.backupId ? 1 : -1));
  const isTimely = ({ createdAt }: RetainedBackup) => createdAt <= now;
  const timely = newestFirst.filter(isTimely);
  const kept = new Set<RetainedBackup>(newestFirst.filter((one) => one.pinned || one.busy || !isTimely(one)));
  // Once with the damaged ones and once without: a damaged backup expires like any other, but never pushes out a sound one.
  for (const some of [timely, timely.filter(({ damaged }) => !damaged)]) {
    const safety = some.filter(({ reason }) => reason === 'before-restore');
    const regular = some.filter(({ reason }) => reason !== 'before-restore');
    for (const one of [...keptByRules(regular, rules, now), ...safety.slice(0, SAFETY_COUNT)]) kept.add(one);
  }
  const sound = timely.filter(({ damaged }) => !damaged);
  const last = sound.find(({ reason }) => reason !== 'before-restore') ?? sound[0];
  if (last) kept.add(last);
  return newestFirst.filter((one) => !kept.has(one));
}

function keptByRules(
  newestFirst: readonly RetainedBackup[],
  { count = 0, days = 0, daily = 0, weekly = 0, monthly = 0 }: RetentionSettings,
  now: number,
): RetainedBackup[] {
  return [
    ...newestFirst.slice(0, count),
    ...newestFirst.filter(({ createdAt }) => now - createdAt <= days * DAY_MS && days > 0),
    ...newestOfEach(newestFirst, daily, dayOf),
    ...newestOfEach(newestFirst, weekly, weekOf),
    ...newestOfEach(newestFirst, monthly, monthOf),
  ];
}

function newestOfEach(
  newestFirst: readonly RetainedBackup[],
  periods: number,
  periodOf: (at: number) => number,
): RetainedBackup[] {
  const newest = new Map<number, RetainedBackup>();
  for (const one of newestFirst) {
    const period = periodOf(one.createdAt);
    if (!newest.has(period)) newest.set(period, one);
  }
  return [...newest.values()].slice(0, periods);
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** 1 January 1970 was a Thursday. */
function weekOf(at: number): number {
  return Math.floor((dayOf(at) + 3) / 7);
}

function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
