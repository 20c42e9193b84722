import { setTimeout as delay } from 'node:timers/promises';
import { isLive } from '../../../shared/domain/phase.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { isAlive, type ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';
import { readLivingGame } from '../../../shared/node/processes/process-record.ts';
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

/** Its tables may have to be brought up to date on a slow disk. Milliseconds. */
const JOBS_WITHIN_MS = 60_000;
/** How soon after that every server must have been taken over, milliseconds. */
const ADOPTED_WITHIN_MS = 15_000;
/** The daemon that runs ends in a second or two, its jobs and gateway with it; longer than this it hangs, and nobody can press Ctrl-C. Milliseconds. */
const FORMER_ENDS_WITHIN_MS = 60_000;
/** A daemon that has not started, if it is there at all, may hang. Milliseconds. */
const ENDED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;

export interface HandOver {
  home: Home;
  runner: DaemonRunner;
  next: Candidate;
  /** How the one that runs is started again; undefined: its version is no longer there. */
  former: DaemonProgram | undefined;
  /** Ids of the servers that run. */
  running: readonly string[];
  note: (line: string) => void;
}

/**
 * Ends the daemon without its servers, copies the database, starts the next version, and waits until that one looks after every server, and
 * its jobs process, where there was one, can use the database.
 * Where it does not, the former one is started again, on the former database. Resolves to the new daemon's pid and where the copy is;
 * throws Failure saying what runs now.
 */
export async function handOver(parts: HandOver): Promise<{ pid: number; copy: string }> {
  // Where that cannot be done, nothing is begun; what counts is the copy after the daemon's end.
  await copyDatabase(parts.home);
  // From its end on there is no daemon until the next is there, and no way back without us: no service manager brings one back.
  return uninterrupted(
    () => replaceDaemon(parts),
    () => parts.note('Finishing first: left half done, nothing would look after your servers. It takes some seconds.'),
  );
}

async function replaceDaemon({ home, runner, next, former, running, note }: HandOver) {
  const signal = AbortSignal.timeout(FORMER_ENDS_WITHIN_MS);
  await withDaemon(home, (daemon) => endDaemon(daemon, { withServers: false, note, signal }));
  await endLeftOver(home);
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
    const unchanged = 'Servers go on.';
    await endLeftOver(home);
    if (!former)
      throw new Failure(
        `${next.version} did not take over: ${reason}\n${unchanged} ${runner.words} says more. Start a version that works: npx gamekeeper up`,
        { cause },
      );
    note(`${next.version} did not take over: ${reason}`);
    // Only what was migrated: else what has happened meanwhile stays.
    if (copy !== undefined && isNewer(schemaOf(home.database), schemaOf(copy))) await restoreDatabase(home, copy);
    await start(former).catch((error: Error) => {
      throw new Failure(
        `Neither ${next.version} nor the version before does its work now: ${error.message}\n${unchanged} ${runner.words} says more.`,
        { cause: error },
      );
    });
    throw new Failure(`${next.version} did not take over: ${reason}\nThe version before runs again. ${unchanged}`, {
      cause,
    });
  }
}

/** A server whose process lives must be looked after; one that has ended meanwhile has done so by itself. */
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
    if (performance.now() - begun > ADOPTED_WITHIN_MS)
      throw new Failure(`it does not look after ${missing.join(', ')}.`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Ends the daemon that is of no use, by the exact process that has the data directory. */
async function endLeftOver(home: Home): Promise<void> {
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
    // It ended by itself in the meantime.
  }
}
