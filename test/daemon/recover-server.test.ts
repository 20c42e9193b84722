import path from 'node:path';
import t, { type Test } from 'tap';
import type { SupervisorLink } from '../../daemon/adopt.ts';
import { createRecovery } from '../../daemon/recover-server.ts';
import { createRegistry } from '../../daemon/registry.ts';
import { openStore } from '../../daemon/store/store.ts';
import type { Supervisors } from '../../daemon/supervisors.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { createLogger } from '../../shared/node/logger.ts';
import { instanceConfig } from '../support/instance-config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function recoveryOf(t: Test) {
  const failures: string[] = [];
  const log = createLogger({ name: 'test', level: 'silent' });
  log.error = (details: unknown, message?: unknown) => void failures.push(`${message} ${details}`);
  const store = openStore(path.join(temporaryFolder(t), 'db'));
  t.teardown(() => store[Symbol.dispose]());
  const registry = createRegistry(store.instances, log);
  const done: string[] = [];
  const call = {
    async start() {
      done.push('started');
      if (registry.get('demo').config.name === 'goes on') throw new GamekeeperError('invalid_state', 'It runs.');
    },
    sleep: async () => void done.push('asleep'),
    stop: async () => void done.push('stopped'),
  };
  const link = { client: { call } } as unknown as SupervisorLink;
  const supervisors: Pick<Supervisors, 'ensure'> = {
    async ensure(id) {
      done.push(`supervised ${id}`);
      return link;
    },
  };
  const ending = new AbortController();
  return {
    registry,
    done,
    failures,
    ending,
    recover: createRecovery({ registry, supervisors: () => supervisors, log, signal: ending.signal }),
  };
}

t.test('a server that lost its supervisor gets another one and is started again', async (t) => {
  const { registry, done, recover } = recoveryOf(t);
  registry.save(
    instanceConfig({ id: 'demo', crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 60 } }),
  );
  await recover('demo', 'running');
  t.same(done, ['supervised demo', 'started']);
});

t.test(
  'one that is never to be restarted is only cleaned up after, and one that was stopping is stopped',
  async (t) => {
    const { registry, done, recover } = recoveryOf(t);
    registry.save(instanceConfig({ id: 'never' }));
    registry.save(
      instanceConfig({ id: 'ended', crashPolicy: { restart: 'always', maxRestarts: 3, windowSeconds: 60 } }),
    );
    await recover('never', 'running');
    await recover('ended', 'stopping');
    t.same(done, ['supervised never', 'supervised ended', 'stopped'], 'a stop that was under way goes on');
  },
);

t.test('a game that goes on, taken over, is not started beside itself, and that is no failure', async (t) => {
  const { registry, done, failures, recover } = recoveryOf(t);
  registry.save(
    instanceConfig({
      id: 'demo',
      name: 'goes on',
      crashPolicy: { restart: 'always', maxRestarts: 3, windowSeconds: 60 },
    }),
  );
  await recover('demo', 'running');
  t.same(done, ['supervised demo', 'started']);
  t.same(failures, []);
});

t.test('one that slept sleeps on', async (t) => {
  const { registry, done, recover } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'demo' }));
  await recover('demo', 'sleeping');
  t.same(done, ['supervised demo', 'asleep']);
});

t.test('nothing is recovered while the daemon ends, or of an instance that is gone', async (t) => {
  const { registry, done, ending, recover } = recoveryOf(t);
  await recover('nobody', 'running');
  registry.save(instanceConfig({ id: 'demo' }));
  ending.abort();
  await recover('demo', 'running');
  t.same(done, []);
});
