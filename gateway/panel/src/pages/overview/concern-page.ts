import type { Tab } from '../server/tabs.ts';
import type { ServerTask, Subject } from './attention.ts';

type TabName = Tab['tab'];

/** Tabs where the user finds out more. */
const TABS: Record<Exclude<Subject, 'disk' | 'failedTasks'>, TabName> = {
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
const TASK_TABS: Record<ServerTask, TabName> = {
  backup: 'backups',
  restore: 'backups',
  verify: 'backups',
  drill: 'backups',
  replicate: 'backups',
  delete: 'backups',
  provision: 'console',
  mods: 'mods',
  clone: 'settings',
  // Also the download of a folder.
  export: 'files',
  archive: 'files',
  extract: 'files',
  world: 'worlds',
};

export interface ConcernOptions {
  /** The kind of the server's failed task. */
  task?: ServerTask | undefined;
  /** The server's tabs that the user may open. */
  tabs: readonly TabName[];
}

/** Returns the page about what is wrong with a server; `undefined` if the user may not open it. */
export function concernPage(
  subject: Exclude<Subject, 'disk'>,
  id: string,
  { task = 'backup', tabs }: ConcernOptions,
): string | undefined {
  const tab = subject === 'failedTasks' ? TASK_TABS[task] : TABS[subject];
  return tabs.includes(tab) ? `/servers/${id}/${tab}` : undefined;
}
