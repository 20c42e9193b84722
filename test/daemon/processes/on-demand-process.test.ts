import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createOnDemandProcess } from '../../../daemon/processes/on-demand-process.ts';
import type { ProcessPresence } from '../../../shared/contract/daemon.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';

t.test('watchers see the jobs process start, die and restart, and watching does not start it', async (t) => {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.logs);
  const entry = path.join(home.root, 'jobs.mjs');
  const pids = path.join(home.root, 'pid');
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs';
    process.once('disconnect', () => process.exit());
    writeFileSync(${JSON.stringify(pids)}, String(process.pid));
    process.send({ type: 'ready', ready: {} });`,
  );
  const ending = new AbortController();
  const log = createLogger({ name: 'test', level: 'silent' });
  const jobs = createOnDemandProcess({ name: 'jobs', home, log, ending: ending.signal, entry });
  const seen: ProcessPresence[] = [];
  void (async () => {
    for await (const presence of jobs.watch(ending.signal)) seen.push(presence);
  })();
  await until('the first state is yielded', () => seen.length === 1);

  await jobs.ensure();
  await until('it serves', () => seen.at(-1)?.socket === home.jobsSocket);
  t.same(seen, [
    { wanted: false, socket: null },
    { wanted: true, socket: null },
    { wanted: true, socket: home.jobsSocket },
  ]);
  process.kill(Number(readFileSync(pids, 'utf8')), 'SIGKILL');
  await until('it serves again', () => seen.length === 5);
  t.same(seen.slice(3), [
    { wanted: true, socket: null },
    { wanted: true, socket: home.jobsSocket },
  ]);
  t.equal(jobs.restarts(), 1);
  ending.abort();
  await jobs.stop();
});
