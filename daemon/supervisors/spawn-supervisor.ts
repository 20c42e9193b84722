import { rm } from 'node:fs/promises';
import type { SupervisorBoot } from '../../shared/contract/supervisor-boot.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { recordProcess } from '../../shared/node/processes/recorded-process.ts';
import type { InstanceConfig } from '../../shared/schema/instance.ts';
import { SUPERVISOR_ENVIRONMENT, SUPERVISOR_FLAGS } from '../processes/programs.ts';
import { startChild } from '../processes/spawn.ts';
import { findSupervisor, type SupervisorLink } from './supervisor-link.ts';

export interface SpawnSupervisorOptions {
  home: Home;
  config: InstanceConfig;
  /** How it has ended, where it has crashed. */
  crash: SupervisorBoot['crash'];
  restartInMs: SupervisorBoot['restartInMs'];
  redaction: SupervisorBoot['redaction'];
  software: SupervisorBoot['software'];
  entry: string;
  /** What it is started through; see supervisor-scope.ts. */
  through: readonly string[];
}

/**
 * Starts a supervisor in a session of its own, hands it its instance, and lets it go: from then on it is reached by its record, like
 * one that an earlier daemon started. Throws `worker_unavailable`, or what the supervisor says is wrong.
 */
export async function spawnSupervisor({
  home,
  config,
  crash,
  restartInMs,
  redaction,
  software,
  entry,
  through,
}: SpawnSupervisorOptions): Promise<SupervisorLink> {
  const boot: SupervisorBoot = {
    type: 'boot',
    config,
    redaction,
    software,
    ...(crash && { crash }),
    ...(restartInMs !== undefined && { restartInMs }),
  };
  const start = home.supervisorStart(config.id);
  const child = startChild<{ socket: string }>({
    name: `supervisor of "${config.id}"`,
    entry,
    args: ['--home', home.root, '--instance', config.id],
    through,
    flags: SUPERVISOR_FLAGS,
    environment: SUPERVISOR_ENVIRONMENT,
    logFile: `${home.logs}/supervisors/${config.id}.log`,
    detached: true,
    // It outlives the terminal that the daemon was started in, and must not keep that one's folder busy.
    cwd: home.root,
    boot: { ...boot },
    // Without its boot message it ends with this daemon; with it, the next daemon can tell it from the one that it starts itself.
    beforeBoot: (pid) => recordProcess(start, pid),
  });
  await child.ready.catch(async (error: unknown) => {
    await child.exited; // or the next would serve beside it
    await rm(start, { force: true });
    throw error;
  });
  await rm(start, { force: true });
  child.release();
  const link = await findSupervisor(home, config.id);
  if (link) return link;
  throw new GamekeeperError('worker_unavailable', `The supervisor of "${config.id}" ended as soon as it was ready.`);
}
