import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { removeUnfinishedWrites } from '../../shared/node/files/atomic-file.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { recordProcess } from '../../shared/node/processes/recorded-process.ts';
import { startChild } from '../../shared/node/processes/spawn.ts';
import { SUPERVISOR_ENVIRONMENT, SUPERVISOR_FLAGS } from '../processes/programs.ts';
import { findSupervisor, type SupervisorLink } from './supervisor-link.ts';

export interface SpawnSupervisorOptions {
  home: Home;
  boot: Omit<SupervisorBoot, 'type'>;
  entry: string;
  /** The command it is started through; see supervisor-scope.ts. */
  through: readonly string[];
}

/**
 * Starts a supervisor in its own session, sends it its boot message, and releases it. From then on it is found by its record, like one that
 * an earlier daemon started. Throws `worker_unavailable`, or the failure that the supervisor reports.
 */
export async function spawnSupervisor({ home, boot, entry, through }: SpawnSupervisorOptions): Promise<SupervisorLink> {
  const { id } = boot.config;
  const start = home.supervisorStart(id);
  const child = startChild<{ socket: string }>({
    name: `supervisor of "${id}"`,
    command: { entry, args: ['--home', home.root, '--instance', id], flags: SUPERVISOR_FLAGS, through },
    logFile: `${home.logs}/supervisors/${id}.log`,
    // It outlives the terminal in which the daemon was started, and must not keep that terminal's folder busy.
    process: { environment: SUPERVISOR_ENVIRONMENT, cwd: home.root, detached: true },
    boot: {
      message: { ...boot, type: 'boot' },
      // Before it has its boot message, it ends with this daemon. After that, this record shows the next daemon that it was not ready yet.
      before: (pid) => recordProcess(start, pid),
    },
  });
  await child.ready.catch(async (error: unknown) => {
    await child.exited; // otherwise the next one would serve beside it
    await rm(start, { force: true });
    const record = home.supervisorRecord(id);
    await removeUnfinishedWrites(path.dirname(record), [path.basename(record)]); // it may have been killed
    throw error;
  });
  await rm(start, { force: true });
  child.release();
  const link = await findSupervisor(home, id);
  if (link) return link;
  throw new GamekeeperError('worker_unavailable', `The supervisor of "${id}" exited as soon as it was ready.`);
}
