import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { recordUsage } from '../../../daemon/usage/record-usage.ts';
import { createUsageHistory } from '../../../daemon/usage/usage-history.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const STARTED = Date.parse('2026-11-20T08:00:00.000Z');
const NOW = STARTED + 3_600_000;
const lossAt = (at: string) => ({ at, exitCode: null, signal: null, reason: 'It is lost.', restarts: 0 });
const LOSS = lossAt('2026-11-20T08:30:00.000Z');
const SECOND_LOSS = lossAt('2026-11-20T08:30:05.000Z');

/** Records what happens to `demo`, which runs since `STARTED`. */
function record(t: Test) {
  const file = path.join(temporaryFolder(t), 'db');
  const store = openStore(file);
  const registry = createRegistry(store.instances, log);
  registry.save(instanceConfig({ id: 'demo' }));
  const history = createUsageHistory(store.usage);
  const stop = recordUsage({ registry, history, log, now: () => NOW });
  t.teardown(async () => {
    await stop();
    store[Symbol.dispose]();
  });
  registry.observe('demo', { phase: 'running', startedAt: STARTED });
  const shows = (...kinds: string[]) =>
    until(`the history has: ${kinds}`, () => {
      const { events } = history.read({ instanceId: 'demo', range: '24h' }, NOW);
      return String(events.map(({ kind }) => kind)) === String(kinds);
    });
  return { file, store, registry, shows };
}

t.test('a server that lives on without its supervisor has not crashed', async (t) => {
  const { registry, shows } = record(t);
  await shows('start');
  registry.detach('demo', LOSS);
  await shows('start', 'crash');
  registry.observe('demo', { phase: 'crashed', crash: LOSS });
  registry.detach('demo', SECOND_LOSS);
  await shows('start', 'crash', 'crash');
  registry.observe('demo', { phase: 'running', startedAt: STARTED });
  await shows('start');
  t.pass();
});

t.test('a server that ended with its supervisor has crashed, once', async (t) => {
  const { registry, shows } = record(t);
  registry.detach('demo', LOSS);
  registry.observe('demo', { phase: 'crashed', crash: LOSS });
  registry.observe('demo', { phase: 'running', startedAt: Date.parse(LOSS.at) + 1_000, crash: LOSS });
  await shows('start', 'crash', 'start');
  registry.observe('demo', { phase: 'stopped', crash: LOSS });
  await shows('start', 'crash', 'start', 'stop');
  t.pass();
});

t.test('a deleted server is forgotten', async (t) => {
  const { registry, shows } = record(t);
  await shows('start');
  registry.remove('demo');
  await shows();
  t.pass();
});

t.test('a database that fails for one server does not end the recording of others', async (t) => {
  const { file, store, registry, shows } = record(t);
  await shows('start');
  using database = new DatabaseSync(file);
  database.exec('DROP TABLE usage_points');
  registry.save(instanceConfig({ id: 'other' }));
  registry.observe('other', { phase: 'running', startedAt: STARTED });
  registry.remove('other');
  registry.observe('demo', { phase: 'stopped' });
  await until('the stop is saved', () => {
    const events = store.usage.events({ instanceId: 'demo', from: STARTED, to: NOW, limit: 5 });
    return String(events.map(({ kind }) => kind)) === 'stop,start';
  });
  t.pass();
});
