import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createOnDemandProcess } from '../../../daemon/processes/on-demand-process.ts';
import { removeSkins } from '../../../daemon/settings/remove-skins.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

/** `program`: that of the jobs process. */
function world(t: Test, program: string) {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(home.logs);
  mkdirSync(home.skins, { recursive: true });
  const entry = path.join(home.root, 'jobs.mjs');
  writeFileSync(entry, program);
  const log = createLogger({ name: 'test', level: 'silent' });
  const ending = new AbortController();
  const jobs = createOnDemandProcess({ name: 'jobs', home, log, ending: ending.signal, entry });
  t.teardown(async () => {
    ending.abort();
    await jobs.stop();
  });
  const wasStarted = () => existsSync(path.join(home.root, 'started'));
  return { home, jobs, log, wasStarted };
}

const SERVES = `
  import { writeFileSync } from 'node:fs';
  process.once('disconnect', () => process.exit());
  writeFileSync(new URL('started', import.meta.url), '');
  process.send({ type: 'ready', ready: {} });`;

t.test('the jobs process is started to remove skins that are no longer allowed', async (t) => {
  const { wasStarted, ...daemon } = world(t, SERVES);
  await removeSkins({ players: { skins: true } }, daemon);
  t.notOk(wasStarted(), 'they are allowed');
  await removeSkins({ players: { skins: false } }, daemon);
  t.ok(wasStarted());
});

t.test('it is not started for nothing', async (t) => {
  const { wasStarted, home, ...daemon } = world(t, SERVES);
  const none = homeAt(path.join(home.root, 'other'));
  await removeSkins({ players: { skins: false } }, { ...daemon, home: none });
  t.notOk(wasStarted());
});

t.test('that it cannot start is no failure of the change', async (t) => {
  const { home, jobs, log } = world(t, 'process.exit(1);');
  await t.resolves(removeSkins({ players: { skins: false } }, { home, jobs, log }));
});
