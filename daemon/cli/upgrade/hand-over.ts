import { rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isLive } from '../../../shared/domain/instance/phase.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { isAlive, type ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';
import { readLivingGame } from '../../../shared/node/processes/process-record.ts';
import { recordProcess } from '../../../shared/node/processes/recorded-process.ts';
import { isNewer } from '../../store/schema.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { endDaemon } from '../api/end-daemon.ts';
import { Failure } from '../api/failure.ts';
import { lockOwner } from '../api/lock-owner.ts';
import { untilReady } from '../api/until-ready.ts';
import { uninterrupted } from '../terminal/uninterrupted.ts';
import type { Candidate, DaemonProgram } from './candidate.ts';
import type { DaemonRunner } from './daemon-runner.ts';
import { copyDatabase, restoreDatabase, schemaOf } from './database-copy.ts';

/** It may have to migrate its tables on a slow disk. Milliseconds. */
const JOBS_WITHIN_MS = 60_000;
/** How long the new daemon may take to reattach to every server, milliseconds. */
const REATTACHED_WITHIN_MS = 15_000;
/** A daemon ends in a second or two, with its jobs and gateway. This limit is for one that hangs, since Ctrl-C has no effect. Milliseconds. */
const FORMER_ENDS_WITHIN_MS = 60_000;
/** For a daemon that did not get ready. Milliseconds. */
const ENDED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;

export interface HandOverOptions {
  home: Home;
  runner: DaemonRunner;
  next: Candidate;
  /** How to start the running version again; `undefined` if it does not exist any more. */
  former: DaemonProgram | undefined;
  /** Ids of the running servers. */
  running: readonly string[];
  note: (line: string) => void;
}

/**
 * Ends the daemon but not the servers, copies the database, starts the next version, and waits until it has reattached to every server and its
 * jobs process, if there was one, can use the database. Otherwise starts the former version on the former database again. Resolves to the new
 * daemon's pid and the path of the copy. Throws a Failure that says what runs now.
 */
export async function handOver(options: HandOverOptions): Promise<{ pid: number; copy: string }> {
  // A trial run: if the database cannot be copied, nothing has changed yet. The copy to restore from is made after the daemon has ended.
  await copyDatabase(options.home);
  const { home } = options;
  // For the daemon, which may run as another user: root upgrades a system service.
  await recordProcess(home.upgradeRecord, process.pid, await stat(home.root));
  try {
    return await replaced(options);
  } finally {
    await rm(home.upgradeRecord, { force: true });
  }
}

function replaced(options: HandOverOptions): Promise<{ pid: number; copy: string }> {
  // Until the next daemon runs, only this process can start one: no service manager does.
  return uninterrupted(
    () => replaceDaemon(options),
    () =>
      options.note(
        'Finishing the upgrade first: interrupted now, it would leave your servers without Gamekeeper. This takes some seconds.',
      ),
  );
}

async function replaceDaemon({ home, runner, next, former, running, note }: HandOverOptions) {
  const signal = AbortSignal.timeout(FORMER_ENDS_WITHIN_MS);
  await withDaemon(home, (daemon) => endDaemon(daemon, { withServers: false, note, signal }));
  await endLeftover(home);
  const start = async (program: DaemonProgram) => {
    const { pid } = await untilReady(home, await runner.start(program));
    await untilReattached(home, running);
    if (usesJobs) await withDaemon(home, (daemon) => daemon.call.jobs(undefined, { timeoutMs: JOBS_WITHIN_MS }));
    return pid;
  };
  let copy: string | undefined;
  let usesJobs = false;
  try {
    copy = await copyDatabase(home);
    usesJobs = schemaOf(copy).jobsSchema > 0;
    return { pid: await start(next), copy };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const unchanged = 'The servers keep running.';
    await endLeftover(home);
    if (!former)
      throw new Failure(
        `${next.version} did not take over: ${reason}\n${unchanged} See ${runner.log}. Then start a version that works: npx gamekeeper up`,
        { cause },
      );
    note(`${next.version} did not take over: ${reason}`);
    // If it was not migrated, the database keeps the changes made in the meantime.
    if (copy !== undefined && isNewer(schemaOf(home.database), schemaOf(copy))) await restoreDatabase(home, copy);
    await start(former).catch((error: Error) => {
      throw new Failure(
        `Neither ${next.version} nor the former version works now: ${error.message}\n${unchanged} See ${runner.log}.`,
        { cause: error },
      );
    });
    throw new Failure(`${next.version} did not take over: ${reason}\nThe former version runs again. ${unchanged}`, {
      cause,
    });
  }
}

/** Waits until the daemon has reattached to every server that still runs. */
async function untilReattached(home: Home, ids: readonly string[]): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const instances = await withDaemon(home, (daemon) => daemon.call.instances());
    const games = await Promise.all(ids.map((id) => readLivingGame(home.gameRecord(id))));
    const missing = ids.filter((id, index) => {
      const runtime = instances.find(({ config }) => config.id === id)?.runtime;
      const isLost = !runtime || (games[index] !== undefined && !isLive(runtime.phase));
      return isLost || runtime.degraded === 'incompatible' || runtime.degraded === 'unresponsive';
    });
    if (missing.length === 0) return;
    if (performance.now() - begun > REATTACHED_WITHIN_MS)
      throw new Failure(`it has not reattached to ${missing.join(', ')}.`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Ends the process that still holds the data directory, if any. */
async function endLeftover(home: Home): Promise<void> {
  const owner = await lockOwner(home);
  if (!owner) return;
  signal(owner, 'SIGTERM');
  for (const begun = performance.now(); await isAlive(owner); await delay(LOOK_EVERY_MS))
    if (performance.now() - begun > ENDED_WITHIN_MS) signal(owner, 'SIGKILL');
}

function signal({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited meanwhile.
  }
}
