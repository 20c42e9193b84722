import path from 'node:path';
import t, { type Test } from 'tap';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { PendingRecoveries } from '../../../daemon/supervisors/pending-recoveries.ts';
import { ServerRecovery } from '../../../daemon/supervisors/recover-server.ts';
import type { SupervisorLink } from '../../../daemon/supervisors/supervisor-link.ts';
import type { Supervisors } from '../../../daemon/supervisors/supervisors.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

function recoveryOf(t: Test) {
  const failures: string[] = [];
  const log = createLogger({ name: 'test', level: 'silent' });
  log.error = (details: unknown, message?: unknown) => void failures.push(`${message} ${details}`);
  const store = openStore(path.join(temporaryFolder(t), 'db'));
  t.teardown(() => store[Symbol.dispose]());
  const registry = createRegistry(store.instances, log);
  const done: string[] = [];
  const call = {
    async status() {
      if (unanswered.shift()) throw new GamekeeperError('worker_unavailable', 'It is gone again.');
      return { phase: 'crashed', javaProgram: null };
    },
  };
  const link = { client: { call } } as unknown as SupervisorLink;
  let refused = 0;
  const unanswered: ('spawned' | 'called')[] = [];
  const supervisors: Pick<Supervisors, 'ensure'> = {
    async ensure(id) {
      if (refused-- > 0) throw new GamekeeperError('insufficient_storage', 'The disk is full.');
      if (unanswered[0] === 'spawned') throw new Error(`no process can be made ${unanswered.shift()}`);
      const restartInMs = pending.restartInMs(id);
      done.push(`supervised ${id}${restartInMs === undefined ? '' : `, which restarts in ${restartInMs} ms`}`);
      return link;
    },
  };
  const ending = new AbortController();
  let pauseMs = 0;
  const pending = new PendingRecoveries(registry);
  const recovery = new ServerRecovery({
    registry,
    supervisors,
    pending,
    log,
    signal: ending.signal,
    pause: (failures) => ({ delayMs: pauseMs, failures }),
  });
  return {
    registry,
    done,
    failures,
    ending,
    unanswered,
    /** The next `count` supervisors do not start. */
    refuse(count: number) {
      refused = count;
    },
    pauseFor(ms: number) {
      pauseMs = ms;
    },
    recover: (id: string) => recovery.recover(id),
    restartInMs: (id: string) => pending.restartInMs(id),
  };
}

const ON_FAILURE = { restart: 'on-failure', maxRestarts: 3, windowSeconds: 60 } as const;
const LOSS = { at: '2026-11-20T08:00:00.000Z', exitCode: null, signal: null, reason: 'It is lost.', restarts: 0 };

t.test('a server that lost its supervisor gets another one, which starts it again', async (t) => {
  const { registry, done, recover, restartInMs } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'demo', crashPolicy: ON_FAILURE }));
  await recover('demo');
  t.same(done, ['supervised demo, which restarts in 0 ms']);
  t.match(
    registry.get('demo').runtime,
    { phase: 'crashed', javaProgram: null },
    'it counts as lost if that supervisor dies too',
  );
  t.equal(restartInMs('demo'), undefined, 'the restart is offered only once');
});

t.test('a server that is never restarted is only cleaned up', async (t) => {
  const { registry, done, failures, recover } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'never' }));
  await recover('never');
  t.same(done, ['supervised never']);
  t.same(failures, []);
});

t.test('a supervisor that is started before the next attempt knows when to restart the server', async (t) => {
  const { registry, done, recover, restartInMs, pauseFor } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'demo', crashPolicy: ON_FAILURE }));
  registry.detach('demo', LOSS);
  pauseFor(600_000);
  const waiting = recover('demo');
  const left = restartInMs('demo') ?? 0;
  t.ok(left > 0 && left <= 600_000, `${left} ms`);
  registry.attach('demo', 'a socket');
  t.ok(restartInMs('demo'), 'a new supervisor may die before it reports a state');
  registry.observe('demo', { phase: 'crashed', javaProgram: null, crash: LOSS });
  await waiting;
  t.equal(restartInMs('demo'), undefined);
  t.same(done, []);
});

for (const [what, loss] of [
  ['was lost while it ran', LOSS],
  ['was lost while it slept', undefined],
] as const)
  t.test(`a server that ${what}, and was started and stopped since, stays stopped`, async (t) => {
    const { registry, done, recover, pauseFor } = recoveryOf(t);
    registry.save(instanceConfig({ id: 'demo', crashPolicy: ON_FAILURE }));
    registry.detach('demo', loss);
    pauseFor(600_000);
    const waiting = recover('demo');
    for (const phase of ['starting', 'running', 'stopping', 'stopped'] as const) registry.observe('demo', { phase });
    await waiting;
    t.same(done, []);
  });

t.test('attempts are repeated until a supervisor answers', async (t) => {
  const { registry, done, failures, unanswered, recover } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'demo', crashPolicy: ON_FAILURE }));
  unanswered.push('spawned', 'spawned', 'called');
  await recover('demo');
  t.same(done, Array(2).fill('supervised demo, which restarts in 0 ms'));
  t.equal(failures.length, 3, 'each failure is logged');
});

t.test('nothing is recovered during a shutdown or for a deleted instance', async (t) => {
  const { registry, done, ending, recover } = recoveryOf(t);
  await recover('nobody');
  registry.save(instanceConfig({ id: 'demo' }));
  ending.abort();
  await recover('demo');
  t.same(done, []);
});

t.test('starting a supervisor is repeated until it works or is not needed any more', async (t) => {
  const { registry, done, failures, recover, refuse, ending } = recoveryOf(t);
  registry.save(instanceConfig({ id: 'demo' }));
  refuse(2);
  await recover('demo');
  t.same(done, ['supervised demo']);
  t.match(failures, [/no supervisor yet/, /no supervisor yet/]);

  refuse(1_000);
  const trying = recover('demo');
  registry.remove('demo');
  await trying;
  const another = recover('demo');
  ending.abort();
  await another;
  t.same(done, ['supervised demo']);
});
