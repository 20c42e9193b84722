import path from 'node:path';
import t, { type Test } from 'tap';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { autoStart } from '../../../daemon/startup/auto-start.ts';
import { openStore } from '../../../daemon/store/store.ts';
import type { Supervisors } from '../../../daemon/supervisors/supervisors.ts';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const RESUMED: Partial<InstanceConfig> = { autoResume: true };

/** A daemon's registry, which a later daemon can open again, with supervisors that only record their calls. */
function daemonOf(t: Test, home = temporaryFolder(t)) {
  const store = openStore(path.join(home, 'gamekeeper.db'));
  t.teardown(() => store[Symbol.dispose]());
  const registry = createRegistry(store.instances, log);
  const started: string[] = [];
  const supervisors = {
    async ensure(id: string) {
      registry.attach(id, `${id}.sock`);
      const start = async () => {
        started.push(id);
        if (id === 'broken') throw new Error('it cannot be started');
        registry.observe(id, { phase: 'starting' });
      };
      return { client: { call: { start } } };
    },
  } as unknown as Pick<Supervisors, 'ensure'>;
  const ending = new AbortController();
  return {
    home,
    registry,
    started,
    ending,
    add: (id: string, more: Partial<InstanceConfig> = {}) => registry.save(instanceConfig({ id, ...more })),
    see: (id: string, phase: Phase) => registry.observe(id, { phase }),
    begin: (oneAtATimeMs?: number) =>
      autoStart({ registry, supervisors, log, signal: ending.signal, ...(oneAtATimeMs && { oneAtATimeMs }) }),
  };
}

t.test('servers start one after the other, and one that fails or takes long does not hold up the others', async (t) => {
  const { add, see, started, begin } = daemonOf(t);
  for (const id of ['broken', 'first', 'slow', 'last']) add(id, { autoStart: true });
  add('not-wanted');
  const done = begin(200);
  await until('the first is started', () => started.includes('first'));
  t.same(started, ['broken', 'first']);
  see('first', 'running');
  await done;
  t.same(started, ['broken', 'first', 'slow', 'last']);
});

t.test('a running server is skipped, and a shutdown ends the automatic start', async (t) => {
  const { add, see, started, begin, ending } = daemonOf(t);
  for (const id of ['a', 'b', 'c']) add(id, { autoStart: true });
  see('a', 'running');
  const done = begin();
  await until('b is started', () => started.length === 1);
  ending.abort();
  await done;
  t.same(started, ['b']);
});

t.test('a server with autoResume that ran when everything went down starts again', async (t) => {
  const before = daemonOf(t);
  for (const id of ['ran', 'stopped', 'ended']) before.add(id, RESUMED);
  before.add('not-wanted');
  for (const id of ['ran', 'stopped', 'ended', 'not-wanted']) {
    before.registry.attach(id, 'socket');
    before.see(id, 'running');
  }
  before.see('stopped', 'stopped');
  before.registry.freezeRan();
  before.see('ended', 'stopped');

  const after = daemonOf(t, before.home);
  await after.begin(50);
  t.same(after.started, ['ran', 'ended']);
});

t.test('a server that waited for its restart after a crash starts again; one that was given up does not', async (t) => {
  const before = daemonOf(t);
  for (const id of ['waiting', 'given-up']) {
    before.add(id, RESUMED);
    before.registry.attach(id, 'socket');
    before.see(id, 'running');
  }
  before.registry.observe('waiting', { phase: 'crashed', javaProgram: null });
  before.see('given-up', 'crashed');

  const after = daemonOf(t, before.home);
  await after.begin(50);
  t.same(after.started, ['waiting']);
});

t.test('the state that a reattached supervisor reports replaces the stored one', async (t) => {
  const before = daemonOf(t);
  before.add('demo', RESUMED);
  before.registry.attach('demo', 'socket');
  before.see('demo', 'running');
  const after = daemonOf(t, before.home);
  after.registry.attach('demo', 'socket');
  t.ok(after.registry.ran('demo'), 'the stored state applies until the supervisor reports');
  after.see('demo', 'stopped');
  await after.begin(50);
  t.same(after.started, []);
});
