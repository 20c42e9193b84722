import { existsSync } from 'node:fs';
import type { Daemon } from '../compose.ts';
import { removeSkins } from '../settings/remove-skins.ts';
import { autoStart } from './auto-start.ts';

/** Resumes what an earlier daemon left unfinished: restores, jobs, servers that start automatically. Never rejects. */
export async function resumeWork(daemon: Daemon, signal: AbortSignal): Promise<void> {
  await finishRestores(daemon);
  // Schedules must not wait until the last server has started.
  await resumeJobs(daemon);
  await autoStart({ ...daemon, signal });
  // Somebody may have edited the file of the settings.
  await removeSkins(daemon.settings.current(), daemon);
}

/**
 * An interrupted restore leaves a folder that is neither the old nor the new one, so its server must not start yet. The jobs process
 * finishes such restores before it serves, then starts the servers that were stopped for them.
 */
async function finishRestores({ home, registry, jobs, log }: Daemon): Promise<void> {
  const marks = registry.all().flatMap(({ config: { id } }) => [home.restoreMark(id), home.restartMark(id)]);
  if (!marks.some(existsSync)) return;
  await jobs.ensure().catch((error: unknown) => {
    log.error({ err: error }, 'interrupted restores cannot be finished without the jobs process');
  });
}

/** Starts the jobs process if it has work, such as copying backups. */
async function resumeJobs({ home, jobs, log }: Daemon): Promise<void> {
  if (!existsSync(home.jobsMark)) return;
  await jobs.ensure().catch((error: unknown) => {
    log.error({ err: error }, 'unfinished work cannot continue without the jobs process');
  });
}
