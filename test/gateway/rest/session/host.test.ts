import { totalmem } from 'node:os';
import t from 'tap';
import { createHostService } from '../../../../gateway/services/host.ts';
import type { HostState } from '../../../../shared/schema/host.ts';
import { isProblem } from '../../../support/http/problem.ts';
import { build } from '../../../support/processes/gateway-app.ts';

t.test('administrators read how busy the computer is, and nobody else', async (t) => {
  const { app, cookie, bearer, addUser } = await build(t);
  const { statusCode, ...answer } = await app.inject({ url: '/api/host', headers: await cookie() });
  t.equal(statusCode, 200);
  const { cpuPercent, memory, backups, pausedSchedules } = answer.json<HostState>();
  t.ok(cpuPercent >= 0 && cpuPercent <= 100, `${cpuPercent} %`);
  t.equal(memory.totalBytes, totalmem());
  t.ok(memory.usedBytes > 0 && memory.usedBytes < memory.totalBytes);
  t.match(backups, [{ instanceId: 'demo', createdAt: /Z$/ }]);
  t.same(pausedSchedules, ['demo']);

  await addUser('ben', 'operator');
  isProblem(t, await app.inject({ url: '/api/host', headers: await cookie('ben') }), 'insufficient_scope');
  isProblem(t, await app.inject({ url: '/api/host', headers: await bearer() }), 'insufficient_scope');
});

t.test('however often it is asked, it reads once, and again after a while', async (t) => {
  let [at, reads] = [0, 0];
  const host = createHostService({
    usage: async () => ({ cpuPercent: ++reads, memory: { usedBytes: 1, totalBytes: 2 } }),
    newestBackups: async () => {
      if (reads === 1) throw new Error('no jobs process');
      return new Map([['demo', 0]]);
    },
    pausedSchedules: async () => {
      if (reads === 1) throw new Error('no jobs process');
      return ['demo'];
    },
    now: () => at,
  });
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => host.state()));
  t.equal(reads, 1);
  t.same(Object.keys(answers[0]!), ['cpuPercent', 'memory'], 'what is unknown is left out');
  at = 1_999;
  t.match(await host.state(), { cpuPercent: 1 });
  at = 2_000;
  t.match(await host.state(), {
    cpuPercent: 2,
    backups: [{ instanceId: 'demo', createdAt: '1970-01-01T00:00:00.000Z' }],
    pausedSchedules: ['demo'],
  });
});
