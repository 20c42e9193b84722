import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { Phase } from '../../../../shared/domain/instance/phase.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { createExportCalls } from '../../../../workers/jobs/export/export-calls.ts';
import { JobQueue } from '../../../../workers/jobs/queue/queue.ts';
import type { Peers } from '../../../../workers/jobs/resources/peers.ts';
import type { Pool } from '../../../../workers/jobs/resources/pool.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';

const HOUR = 3_600_000;

/** An export whose reader is so slow that it never ends, by the test's clock. */
async function endless(t: Test, phase: Phase) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.teardown(() => mock.timers.reset());
  const heard: string[] = [];
  const supervisor = {
    call: {
      hold: async () => ({ leaseId: 'lease', quiesced: true }),
      renew: async () => true,
      release: async () => void heard.push('release'),
    },
    onLost: () => () => undefined,
    close: () => undefined,
  };
  const config = instanceConfig(homeAt('/nowhere'), 'survival');
  const daemon = { instance: async () => ({ config, runtime: { phase }, socket: null }) };
  const peers = { daemon, supervisor: async () => supervisor } as unknown as Peers;
  const run = async (_: string, __: object, signal: AbortSignal) => {
    heard.push('begun');
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => aborted.reject(signal.reason));
    await aborted.promise;
  };
  const now = () => new Date(1_795_000_000_000);
  const queue = new JobQueue({ limit: 1, now, ticks: () => 0, newId: () => 'j1', onFailed: () => undefined });
  const calls = createExportCalls(queue, { peers, pool: { run } as unknown as Pool, log: pino({ enabled: false }) });
  const { jobId } = await calls.startExport({ instanceId: 'survival', socket: '/nowhere/socket' });
  while (!heard.includes('begun')) await turn();
  return {
    heard,
    ended: queue.wait(jobId, new AbortController().signal),
    pass: (ms: number) => mock.timers.tick(ms),
  };
}

t.test('an export keeps a stopped server from starting for at most twelve hours', async (t) => {
  const { heard, ended, pass } = await endless(t, 'stopped');
  pass(12 * HOUR - 1);
  await turn();
  t.same(heard, ['begun']);
  const refused = t.rejects(ended, { code: 'invalid_state', message: /longer than 12 hours/ });
  pass(1);
  await refused;
  t.same(heard, ['begun', 'release']);
});

t.test('an export keeps a running server from saving for at most ten minutes', async (t) => {
  const { heard, ended, pass } = await endless(t, 'running');
  const refused = t.rejects(ended, { code: 'invalid_state', message: /longer than 10 minutes/ });
  pass(HOUR / 6);
  await refused;
  t.same(heard, ['begun', 'release']);
});
