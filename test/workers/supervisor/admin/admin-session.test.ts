import t from 'tap';
import { createAdminSession } from '../../../../workers/supervisor/admin/admin-session.ts';
import { createRconTally } from '../../../../workers/supervisor/rcon/tally.ts';

t.test('a command that times out while it waits leaves the connection to the one that runs', async (t) => {
  const answer = Promise.withResolvers<string>();
  let ends = 0;
  const channel = { ask: () => answer.promise, end: () => ends++ };
  const session = createAdminSession(channel, createRconTally());
  const saving = session.run('server.save', { timeoutMs: 60_000 });
  await t.rejects(session.run('list', { timeoutMs: 1 }), { name: 'RconError', reason: 'timeout' });
  t.equal(ends, 0);
  answer.resolve('saved');
  t.equal(await saving, 'saved');
});

t.test('a late answer does not reach the next command', async (t) => {
  let ends = 0;
  const channel = { ask: () => new Promise<string>(() => undefined), end: () => ends++ };
  const session = createAdminSession(channel, createRconTally());
  await t.rejects(session.run('list', { timeoutMs: 1 }), { name: 'RconError', reason: 'timeout' });
  t.equal(ends, 1, 'its connection is ended');
});
