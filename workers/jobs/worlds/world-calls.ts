import { existsSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import { isOwnName } from '../../../shared/domain/files/file-path.ts';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import { worldFolders } from '../../../shared/domain/world-folders.ts';
import { GamekeeperError, isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { giveTo, ownerOf } from '../../../shared/node/files/owner.ts';
import { removeTree } from '../../../shared/node/files/remove-tree.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { BackupRules } from '../backups/backup-rules.ts';
import { type RestoreOptions, replaceLockedFolder, withLockedFolder } from '../backups/restore/restore.ts';
import type { SwapPlace } from '../backups/restore/swap-place.ts';
import { unpackChecked } from '../files/extract-archive.ts';
import { openInFolder, requireFilePath } from '../files/real-place.ts';
import type { JobRun } from '../queue/job-entry.ts';
import type { JobQueue } from '../queue/queue.ts';
import { findWorld } from './find-world.ts';
import { withSeed } from './with-seed.ts';

const PROPERTIES = 'server.properties';
/** In the staging folder. No world has this name, since it is one of Gamekeeper's own. */
const UNPACKED = '.gamekeeper-restore-unpacked';

export type WorldCalls = Pick<JobsService, 'startWorldReplacement' | 'startWorldReset'>;

export interface WorldOptions extends RestoreOptions {
  applyRules: BackupRules;
}

/** Long work on the worlds of stopped servers. What is there is backed up first, and swapped for the new content in one step. */
export function createWorldCalls(queue: JobQueue, options: WorldOptions): WorldCalls {
  /** Queues work that fills the staging folder with the new folders of a world. Resolves to their names. */
  async function start(
    { instanceId, folder }: { instanceId: string; folder: string },
    fill: (place: SwapPlace, run: JobRun, config: InstanceConfig) => Promise<string[]>,
  ) {
    const { config, runtime } = await options.peers.daemon.instance(instanceId);
    requireWorldName(folder);
    if (isLive(runtime.phase))
      throw new GamekeeperError('invalid_state', `"${instanceId}" is ${runtime.phase}, and its world is in use.`, {
        resolution: 'Stop the server first.',
      });
    requireWorld(config.directory, folder);
    return queue.add({
      kind: 'world',
      instanceId,
      queued: true,
      work: (run) =>
        withLockedFolder(config, run, options, async (locked) => {
          const backingUp = locked.phase(0);
          const filled = (place: SwapPlace) => fill(place, locked, config);
          try {
            const replacing = { config, backingUp, fill: filled, keepsLeftOut: false };
            await replaceLockedFolder(replacing, locked.signal, options);
            options.swap.previousFolders.watchStarts();
          } finally {
            await options.applyRules(instanceId); // There may be a new backup even if the rest has failed.
          }
        }),
    });
  }

  return {
    async startWorldReplacement({ instanceId, folder, archive }) {
      const { config } = await options.peers.daemon.instance(instanceId);
      (await openInFolder(config.directory, archive))[Symbol.dispose](); // fails at once, not in the job
      return start({ instanceId, folder }, async (place, run) => {
        const unpacked = path.join(place.staging, UNPACKED);
        await mkdir(place.staging, { mode: 0o700 });
        using zip = await openInFolder(config.directory, archive);
        await unpackChecked({ archive: zip.place, target: unpacked }, run, options.pool);
        const found = await findWorld(unpacked, run.signal);
        for (const [suffix, from] of found) await rename(from, path.join(place.staging, `${folder}${suffix}`));
        await removeTree(unpacked);
        // A Nether of another world would not fit.
        const replaced = presentFolders(place.folder, folder);
        for (const name of replaced)
          if (!existsSync(path.join(place.staging, name))) await mkdir(path.join(place.staging, name));
        return worldFolders(folder).filter((name) => existsSync(path.join(place.staging, name)));
      });
    },

    async startWorldReset({ instanceId, folder, seed }) {
      return start({ instanceId, folder }, async (place) => {
        const folders = presentFolders(place.folder, folder);
        if (!folders.includes(folder))
          throw new GamekeeperError('file_not_found', `There is no world "${folder}".`, {
            resolution: 'See GET /instances/{id}/worlds.',
          });
        // The game creates a world in an empty folder.
        for (const name of folders) await mkdir(path.join(place.staging, name), { recursive: true });
        if (seed === undefined) return folders;
        await writeSeed(place, seed);
        return [...folders, PROPERTIES];
      });
    },
  };
}

/** Writes the settings with the seed into the staging folder, so that they come with the empty world or not at all. */
async function writeSeed({ folder, staging }: SwapPlace, seed: string): Promise<void> {
  const present = await openInFolder(folder, PROPERTIES).catch((error: unknown) => {
    if (isGamekeeperError(error, 'file_not_found')) return undefined; // The server has never run.
    throw error;
  });
  using file = present;
  const former = file && (await stat(file.place));
  const text = file ? await readFile(file.place, 'latin1') : '';
  const target = path.join(staging, PROPERTIES);
  await writeFile(target, withSeed(text, seed), { encoding: 'latin1', mode: former?.mode, flag: 'wx' });
  giveTo(former && ownerOf(former), (uid, gid) => lchownSync(target, uid, gid));
}

/** Throws `invalid_path` if the folder is there and has something else than a world. An empty one becomes a world at the next start. */
function requireWorld(directory: string, folder: string): void {
  if (!presentFolders(directory, folder).includes(folder)) return;
  const names = readdirSync(path.join(directory, folder));
  if (names.length === 0 || names.includes('level.dat')) return;
  throw new GamekeeperError('invalid_path', `The folder "${folder}" is not a world: it has no level.dat.`, {
    resolution: 'See GET /instances/{id}/worlds.',
  });
}

/** Returns those folders of a world that a server has today. */
function presentFolders(directory: string, folder: string): string[] {
  return worldFolders(folder).filter((name) =>
    lstatSync(path.join(directory, name), { throwIfNoEntry: false })?.isDirectory(),
  );
}

function requireWorldName(folder: string): void {
  requireFilePath(folder);
  if (!folder.includes('/') && !isOwnName(folder)) return;
  throw new GamekeeperError('invalid_path', `"${folder}" is not the name of a world's folder.`);
}
