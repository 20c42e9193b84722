/**
 * The jobs process: slow work for the whole host, started by the daemon when it is first needed, ended with the daemon.
 * `<node> dist/workers/jobs/main.js --home <home>`
 *
 * start-jobs.ts builds it from these rooms: queue (which job runs when), backups, software, runtimes (Java), mods, provisioning (what a
 * start needs installed), schedules, clone, export, import, vendors (downloads), resources (database, thread pool, other processes).
 */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { reportFailure, reportReady, whenParentIsGone } from '../../shared/node/processes/lifeline.ts';
import { lowerSessionPriority } from '../../shared/node/processes/session-priority.ts';
import { startJobs } from './start-jobs.ts';

/** Once the daemon is gone, this process ends within this time, whatever it is doing. Milliseconds. */
const ORPHAN_MS = 900;

yieldToGames();
const { values } = parseArgs({ options: { home: { type: 'string' } } });
if (!values.home) {
  process.stderr.write('Usage: jobs --home <data directory>\n');
  process.exit(EXIT.usage);
}

try {
  const home = homeAt(path.resolve(values.home));
  // In a bundle: dist/workers/pool/main.js. In the sources: workers/pool/main.ts.
  const pool = path.join(import.meta.dirname, '..', 'pool', `main${path.extname(import.meta.filename)}`);
  const stop = await startJobs({ home, poolEntry: pool });

  // Ctrl-C on a terminal reaches every process; the daemon decides what it means.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('SIGTERM', () => void stop().finally(() => process.exit(EXIT.ok)));
  whenParentIsGone(() => {
    setTimeout(() => process.exit(EXIT.failure), ORPHAN_MS).unref();
    void stop().finally(() => process.exit(EXIT.failure));
  });
  reportReady({ socket: home.jobsSocket });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  await reportFailure(toCodedFailure(error));
  process.exit(EXIT.failure);
}

/**
 * Lets game servers go first. On Linux this covers disks too: a process without an I/O priority of its own gets one from its nice value
 * (ioprio_set(2)); nice 10 means 6 of 7.
 */
function yieldToGames(): void {
  const priority = constants.priority.PRIORITY_BELOW_NORMAL;
  // On Linux nice values belong to threads. New threads inherit them, but those of V8 and libuv may exist already.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) {
    try {
      setPriority(thread, priority);
    } catch {
      // The thread has just ended, or the system does not allow it.
    }
  }
  lowerSessionPriority(priority);
}
