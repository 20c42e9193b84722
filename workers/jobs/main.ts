/**
 * The jobs process: slow work for the whole host, started by the daemon on first need and gone with it.
 * `<node> dist/workers/jobs/main.js --home <home>`
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { toCodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { EXIT } from '../../shared/node/processes/exit-codes.ts';
import { reportFailure, reportReady, whenParentIsGone } from '../../shared/node/processes/lifeline.ts';
import { yieldToGames } from './priority.ts';
import { startJobs } from './start-jobs.ts';

/** Within this time of losing the daemon this process is gone, whatever it was doing. Milliseconds. */
const ORPHAN_MS = 900;

yieldToGames();
const { values } = parseArgs({ options: { home: { type: 'string' } } });
if (!values.home) {
  process.stderr.write('Usage: jobs --home <data directory>\n');
  process.exit(EXIT.usage);
}

try {
  const home = homeAt(path.resolve(values.home));
  // From a bundle: dist/workers/pool/main.js. From the sources: workers/pool/main.ts.
  const pool = path.join(import.meta.dirname, '..', 'pool', `main${path.extname(import.meta.filename)}`);
  const stop = await startJobs({ home, poolEntry: pool });

  // Ctrl-C on a terminal reaches everybody; the daemon decides what becomes of it.
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
