import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import type { ModOptions } from './change-mods.ts';
import { fetchingMods } from './fetch-mods.ts';
import { changeFolder, prepareModFolder, tidyFolder } from './folder/change-folder.ts';
import { modTarget } from './mod-target.ts';
import type { WaitingChange } from './waiting-changes.ts';

/** Does what waits for a server's start. */
export type ModSettler = (config: InstanceConfig, run: Pick<JobRun, 'signal' | 'phase'>) => Steps<void>;

/**
 * Changes the folder of mods as it was asked for while the server ran. That it cannot be done keeps no server from starting, with the
 * mods that it had: the console says so, and it is tried again at the next start, unless the folder has become another one.
 */
export async function* settleMods(
  config: InstanceConfig,
  run: Pick<JobRun, 'signal' | 'phase'>,
  options: ModOptions,
): Steps<void> {
  const { waiting } = options.records;
  if (!waiting.of(config.id)) return;
  const unlock = await options.locks.folders.take(config.id, run.signal);
  try {
    const change = waiting.of(config.id);
    if (!change) return;
    const { folder: name } = await modTarget(config, options.peers.daemon);
    const folder = await prepareModFolder(config.directory, name);
    await tidyFolder(folder, change);
    const sources = yield* fetchingMods(change.puts, run, options.sources);
    const finish = await changeFolder({ folder, change, sources }, run.signal);
    waiting.set(config.id, undefined);
    await finish();
    yield { progress: `Changed ${name}: ${summary(change)}.` };
  } catch (error) {
    if (run.signal.aborted || !(error instanceof Error)) throw error;
    const isOver = error instanceof GamekeeperError && ['mod_conflict', 'mods_unsupported'].includes(error.code);
    if (isOver) waiting.set(config.id, undefined);
    else options.log.warn({ err: error, instance: config.id }, 'mods could not be changed');
    const why = error instanceof GamekeeperError ? error.message : 'The files could not be written.';
    const then = isOver ? 'Ask for the change again.' : 'It is tried again at the next start.';
    yield { progress: `The mods stay as they are: ${why} ${then}` };
  } finally {
    unlock();
  }
}

/** A file that gives way to another version of itself is not named. */
function summary({ puts, removes }: WaitingChange): string {
  const came = puts.map(({ known }) => `${known.title} ${known.version}`);
  const went = removes.map(({ file }) => file).filter((file) => !puts.some((put) => put.file === file));
  return [came.length > 0 ? `${came.join(', ')} in` : '', went.length > 0 ? `${went.join(', ')} out` : '']
    .filter(Boolean)
    .join('; ');
}
