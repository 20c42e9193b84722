import path from 'node:path';
import type { CloneInstance } from '../../../shared/schema/clone.ts';
import { type CreateInstance, createInstance, type InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { type FolderLockParts, lockFolder } from '../resources/folder-lease.ts';
import type { Pool } from '../resources/pool.ts';
import type { Scratch } from '../resources/scratch.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { writeOwnSettings } from './own-settings.ts';
import { stagingFolder } from './staging-folder.ts';

export interface CloneParts extends FolderLockParts {
  /** The folder of the instances' folders. */
  instances: string;
  pool: Pool;
  scratch: Scratch;
  records: InstalledRecords;
  randomHex(digits: number): string;
}

export interface CloneOrder {
  source: InstanceConfig;
  /** With the id that the copy gets. */
  request: CloneInstance & { id: string };
}

/**
 * Copies a server, its world held still meanwhile as for a backup, into a folder beside; then it gets ports and secrets of its own and
 * becomes an instance, all at once. Whatever fails until then leaves nothing.
 */
export async function cloneInstance({ source, request }: CloneOrder, run: JobRun, parts: CloneParts): Promise<void> {
  const { peers, pool, scratch, records, randomHex } = parts;
  const { progress } = run.phase(0);
  const staging = stagingFolder(parts);
  await scratch.use(staging, async () => {
    const held = await lockFolder({ instanceId: source.id, activity: 'backing-up', signal: run.signal }, parts);
    try {
      const signal = AbortSignal.any([run.signal, held.lost]);
      await pool.run('copy', { source: source.directory, target: staging, progress: progress.memory }, signal);
    } finally {
      await held.release();
    }
    const wanted = likeSource(source, request);
    // As a kind with RCON, so that a port for it is chosen, too: a program of the owner's may have one.
    const kind = source.software === 'custom' ? { software: 'vanilla', launch: undefined } : {};
    const planned = await peers.daemon.planInstance({ ...wanted, ...kind });
    await writeOwnSettings(staging, {
      port: planned.port,
      rcon: planned.rcon ?? { port: planned.port + 10, password: randomHex(36) },
      managementSecret: randomHex(40),
    });
    // From here on it is a matter of milliseconds: no cancelling any more.
    run.signal.throwIfAborted();
    const launch = ownLaunch(source, planned.directory);
    const create = { ...wanted, port: planned.port, ...(launch && { launch }) };
    const { id } = await peers.daemon.createFromFolder({ request: create, folder: staging });
    run.made(id);
    const record = await records.read(source.id);
    if (record) await records.write(id, record);
  });
}

/** As the source, but for what can be there only once, and for starting by itself. */
function likeSource(source: InstanceConfig, { name, id, port }: CloneOrder['request']): CreateInstance {
  const settings = Object.entries(source).filter(([key]) => key in createInstance.shape);
  const { rcon: _, directory: __, ...same } = Object.fromEntries(settings);
  return createInstance.parse({ ...same, name, id, port, acceptEula: source.eulaAccepted, autoStart: false });
}

/** The command, where it names the source's folder, with that of the copy. */
function ownLaunch({ launch, directory }: InstanceConfig, own: string): InstanceConfig['launch'] {
  const moved = (part: string) =>
    part === directory || part.startsWith(directory + path.sep) ? own + part.slice(directory.length) : part;
  return launch && { command: launch.command.map(moved) };
}
