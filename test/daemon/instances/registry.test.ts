import path from 'node:path';
import t from 'tap';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const CRASH = { at: '2026-11-20T08:00:00.000Z', exitCode: 7, signal: null, reason: 'It fell.', restarts: 0 };
const LOSS = { at: '2026-11-20T09:00:00.000Z', exitCode: null, signal: null, reason: 'It is lost.', restarts: 0 };

for (const [what, former] of [
  ['nothing', undefined],
  ['the crash before', CRASH],
] as const)
  t.test(`a lost supervisor whose game went on leaves ${what}`, (t) => {
    const file = path.join(temporaryFolder(t), 'db');
    const store = openStore(file);
    const registry = createRegistry(store.instances, log);
    registry.save(instanceConfig({ id: 'demo' }));
    registry.attach('demo', 'a socket');
    registry.observe('demo', { phase: 'running', ...(former && { crash: former }) });
    registry.detach('demo', LOSS);
    t.same(registry.get('demo').runtime, { phase: 'crashed', crash: LOSS });
    registry.attach('demo', 'another socket');
    registry.observe('demo', { phase: 'crashed', crash: LOSS });
    registry.detach('demo', { ...LOSS, at: '2026-11-20T09:00:01.000Z' });
    registry.observe('demo', { phase: 'running' });
    t.same(registry.get('demo').runtime.crash, former);
    store[Symbol.dispose]();
    const later = openStore(file);
    t.teardown(() => later[Symbol.dispose]());
    t.same(later.instances.all()[0]?.lastCrash, former, 'on disk as well');
    t.end();
  });

t.test('a lost supervisor whose game was started again stays the reason', (t) => {
  const store = openStore(path.join(temporaryFolder(t), 'db'));
  t.teardown(() => store[Symbol.dispose]());
  const registry = createRegistry(store.instances, log);
  registry.save(instanceConfig({ id: 'demo' }));
  registry.observe('demo', { phase: 'running' });
  registry.detach('demo', LOSS);
  registry.observe('demo', { phase: 'starting', crash: LOSS });
  registry.observe('demo', { phase: 'running', crash: LOSS });
  t.same(registry.get('demo').runtime.crash, LOSS);
  t.end();
});

t.test('a failed start hides the last crash until the server has started', (t) => {
  const store = openStore(path.join(temporaryFolder(t), 'db'));
  t.teardown(() => store[Symbol.dispose]());
  const registry = createRegistry(store.instances, log);
  const failure = { ...LOSS, reason: 'A port is in use.', failedStart: { code: 'port_in_use' } };
  registry.save(instanceConfig({ id: 'demo' }));
  registry.observe('demo', { phase: 'crashed', crash: CRASH });
  registry.observe('demo', { phase: 'crashed', crash: failure });
  registry.observe('demo', { phase: 'crashed', crash: { ...failure, at: '2026-11-20T09:00:01.000Z' } });
  registry.detach('demo');
  t.match(registry.get('demo').runtime.crash, { failedStart: { code: 'port_in_use' } });
  registry.observe('demo', { phase: 'starting' });
  t.same(registry.get('demo').runtime.crash, CRASH);
  t.same(store.instances.all()[0]?.lastCrash, CRASH, 'on disk as well');
  t.end();
});
