import path from 'node:path';
import { sayOmissions } from '../../../shared/domain/backups/omissions.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import type { CloneInstance } from '../../../shared/schema/clone.ts';
import { type CreateInstance, createInstance, type InstanceConfig } from '../../../shared/schema/instance.ts';
import type { JobRun } from '../queue/job-entry.ts';
import { lockFolder } from '../resources/folder-lease.ts';
import type { Peers } from '../resources/peers.ts';
import type { Pool } from '../resources/pool.ts';
import { randomHex } from '../resources/random-hex.ts';
import type { Scratch } from '../resources/scratch.ts';
import type { InstalledRecords } from '../software/installed.ts';
import { stagingFolder } from './new-instance-place.ts';
import { writeOwnSettings } from './own-settings.ts';

export interface CloneOptions {
  home: Home;
  peers: Peers;
  pool: Pool;
  scratch: Scratch;
  records: InstalledRecords;
  log: Logger;
}

export interface CloneOrder {
  source: InstanceConfig;
  request: CloneInstance & { id: string };
}

/**
 * Copies a server into a staging folder, its world locked meanwhile as for a backup, gives the copy its own ports and secrets, and turns
 * the folder into an instance in one step. A failure before that leaves nothing behind.
 */
export async function cloneInstance(
  { source, request }: CloneOrder,
  run: JobRun,
  options: CloneOptions,
): Promise<void> {
  const { home, peers, pool, scratch, records } = options;
  const { progress } = run.phase(0);
  const staging = stagingFolder(home);
  await scratch.use(staging, async () => {
    const lease = await lockFolder({ instanceId: source.id, activity: 'backing-up', signal: run.signal }, options);
    try {
      const signal = AbortSignal.any([run.signal, lease.lost]);
      const task = { source: source.directory, target: staging, progress: progress.memory };
      const copied = await pool.run('copy', task, signal);
      run.omits(copied);
      if (copied.omittedCount > 0)
        await lease.notice(`The copy "${request.id}" does not contain everything: ${sayOmissions(copied)}.`);
    } finally {
      await lease.release();
    }
    const wanted = likeSource(source, request);
    // Planned as a kind with RCON, so that an RCON port is chosen too: a custom program over TCP may use one.
    const mayHaveRcon = source.software === 'custom' && source.transport !== 'udp';
    const kind = mayHaveRcon ? { software: 'vanilla', launch: undefined, transport: undefined } : {};
    const planned = await peers.daemon.planInstance({ ...wanted, ...kind });
    await writeOwnSettings(staging, {
      port: planned.port,
      rcon: planned.rcon ?? { port: planned.port + 10, password: randomHex(36) },
      managementSecret: randomHex(40),
    });
    // The last moment to cancel: the rest takes milliseconds.
    run.signal.throwIfAborted();
    const launch = ownLaunch(source, planned);
    const create = { ...wanted, port: planned.port, ...(launch && { launch }) };
    const { id } = await peers.daemon.createFromFolder({ request: create, folder: staging });
    run.made(id);
    const record = await records.read(source.id);
    if (record) await records.write(id, record);
  });
}

/** The source's settings, except those that must be unique; the copy does not start automatically. */
function likeSource(source: InstanceConfig, { name, id, port }: CloneOrder['request']): CreateInstance {
  const settings = Object.entries(source).filter(([key]) => key in createInstance.shape);
  const { rcon: _, directory: __, ports: ___, ...same } = Object.fromEntries(settings);
  return createInstance.parse({ ...same, name, id, port, acceptEula: source.eulaAccepted, autoStart: false });
}

/** The launch command, with the source's folder and port (`25565`, `--port=25565`, `0.0.0.0:25565`) replaced by the copy's. */
function ownLaunch(
  { launch, directory, port }: InstanceConfig,
  own: Pick<InstanceConfig, 'directory' | 'port'>,
): InstanceConfig['launch'] {
  const numbered = new RegExp(`^(|.*[=:])${port}$`, 's');
  const moved = (part: string) =>
    part === directory || part.startsWith(directory + path.sep)
      ? own.directory + part.slice(directory.length)
      : part.replace(numbered, `$1${own.port}`);
  return launch && { command: launch.command.map(moved) };
}
