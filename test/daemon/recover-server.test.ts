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
      if (unanswered.shift()) throw new GamekeeperError('worker_unavailable', 'It is gone again.');
      done.push('started');
      if (registry.get('demo').config.name === 'goes on') throw new GamekeeperError('invalid_state', 'It runs.');
    },
    sleep: async () => void done.push('asleep'),
    stop: async () => void done.push('stopped'),
  };
  const link = { client: { call } } as unknown as SupervisorLink;
  let refused = 0;
  const unanswered: ('spawned' | 'called')[] = [];
  const supervisors: Pick<Supervisors, 'ensure'> = {
    async ensure(id) {
      if (refused-- > 0) throw new GamekeeperError('insufficient_storage', 'The disk is full.');
      if (unanswered[0] === 'spawned') throw new Error(`no process can be made ${unanswered.shift()}`);
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
    unanswered,
    /** So many supervisors do not start. */
    refuse(count: number) {
      refused = count;
    },
    recover: createRecovery({
      registry,
      supervisors: () => supervisors,
      log,
      signal: ending.signal,
      pause: (failures) => ({ delayMs: 0, failures }),
    }),
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

t.test('it is tried again until a supervisor has seen to the server', async (t) => {
  const { registry, done, failures, unanswered, recover } = recoveryOf(t);
  const crashPolicy = { restart: 'on-failure', maxRestarts: 3, windowSeconds: 60 } as const;
  registry.save(instanceConfig({ id: 'demo', crashPolicy }));
  unanswered.push('spawned', 'spawned', 'called');
  await recover('demo', 'running');
  t.same(done, ['supervised demo', 'supervised demo', 'started']);
  t.equal(failures.length, 3, 'which the log says');
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

t.test('a supervisor that cannot start yet is tried again, until it can or nobody wants it any more', async (t) => {
  const { registry, done, failures, recover, refuse, ending } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'demo' }));
  refuse(2);
  await recover('demo', 'running');
  t.same(done, ['supervised demo']);
  t.match(failures, [/no supervisor yet/, /no supervisor yet/]);

  refuse(1_000);
  const trying = recover('demo', 'running');
  registry.remove('demo');
  await trying;
  const another = recover('demo', 'running');
  ending.abort();
  await another;
  t.same(done, ['supervised demo']);
});
