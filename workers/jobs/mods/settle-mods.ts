import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { Steps } from '../queue/steps.ts';
import { recordWork } from '../resources/peers.ts';
import type { ModOptions } from './change-mods.ts';
import { fetchingMods } from './fetch-mods.ts';
import { changeFolder, tidyFolder } from './folder/change-folder.ts';
import { openModFolder } from './folder/open-mod-folder.ts';
import { modTarget } from './mod-target.ts';
import { isForOther, type WaitingChange } from './waiting-changes.ts';

export type ModSettler = (config: InstanceConfig, run: Pick<JobRun, 'signal' | 'phase'>) => Steps<void>;

/**
 * Makes the changes that were requested while the server ran. A failure does not prevent the start: the server keeps its mods, the console
 * says why, and the next start tries again, unless the folder no longer matches the change.
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
    if (isForOther(change, config))
      throw new GamekeeperError('mod_conflict', 'They were chosen for the software that the server had before.');
    const { folder: name } = await modTarget(config, options.peers.daemon);
    using folder = await openModFolder(config.directory, name);
    await tidyFolder(folder.place, change);
    const sources = yield* fetchingMods(change.puts, run, options.sources);
    const finish = await changeFolder({ folder: folder.place, change, sources }, run.signal);
    waiting.set(config.id, undefined);
    await finish();
    await recordWork({ instanceId: config.id, kind: 'mods' }, options);
    yield { progress: `Changed ${name}: ${summary(change)}.` };
  } catch (error) {
    if (run.signal.aborted || !(error instanceof Error)) throw error;
    const isOver = isGamekeeperError(error, 'mod_conflict', 'mods_unsupported');
    if (isOver) waiting.set(config.id, undefined);
    else options.log.warn({ err: error, instance: config.id }, 'could not change mods');
    const why = error instanceof GamekeeperError ? error.message : 'The files could not be written.';
    const then = isOver ? 'Request the change again.' : 'Gamekeeper tries again at the next start.';
    yield { progress: `The mods were not changed: ${why} ${then}` };
  } finally {
    unlock();
  }
}

/** Files replaced by another version of the same name are not listed as removed. */
function summary({ puts, removes }: WaitingChange): string {
  const added = puts.map(({ known }) => `${known.title} ${known.version}`);
  const removed = removes.map(({ file }) => file).filter((file) => !puts.some((put) => put.file === file));
  return [
    added.length > 0 ? `installed ${added.join(', ')}` : '',
    removed.length > 0 ? `removed ${removed.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}
