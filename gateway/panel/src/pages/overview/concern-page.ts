import type { Job } from '../../api/transport/client.ts';
import type { Subject } from './attention.ts';

/** Tabs where the user finds out more. */
const TABS: Record<Exclude<Subject, 'disk' | 'failedTasks'>, string> = {
  crashed: 'crashes',
  notStarted: 'console',
  unresponsive: 'console',
  incompatible: 'console',
  leftovers: 'console',
  lag: 'charts',
  backups: 'backups',
  pausedSchedules: 'schedules',
};

/** Tabs where a task is seen, or done again. */
const TASK_TABS: Record<Exclude<Job['kind'], 'import'>, string> = {
  backup: 'backups',
  restore: 'backups',
  verify: 'backups',
  drill: 'backups',
  replicate: 'backups',
  delete: 'backups',
  provision: 'console',
  mods: 'mods',
  clone: 'settings',
  export: 'settings',
  archive: 'files',
  extract: 'files',
  world: 'worlds',
};

/** Returns the page about what is wrong with a server. `task`: the kind of its failed task. */
export function concernPage(subject: Exclude<Subject, 'disk'>, id: string, task: Job['kind'] = 'backup'): string {
  if (subject !== 'failedTasks') return `/servers/${id}/${TABS[subject]}`;
  return task === 'import' ? '/new' : `/servers/${id}/${TASK_TABS[task]}`;
}
