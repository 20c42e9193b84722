/** The events of a running Gamekeeper as a client of GET /events receives them. */
import t from 'tap';
import { readEvents } from '../support/http/event-reader.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

t.test('a client receives events of servers, players and jobs, and learns that it missed some', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  const headers = { authorization: `Bearer ${await gamekeeper.token({ scopes: ['servers:read'] })}` };
  const listen = (more = {}) => readEvents(t, `${gamekeeper.addresses().panel}/events`, { ...headers, ...more });
  const reader = await listen();
  await reader.until('instance.phase', { instanceId: 'demo', status: 'stopped' });

  await gamekeeper.api('POST', '/instances/demo/start');
  await reader.until('instance.phase', { instanceId: 'demo', status: 'running', phase: 'running' });
  await reader.until('usage', { instanceId: 'demo' });
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'demo join Alice' });
  await reader.until('player.join', { instanceId: 'demo', name: 'Alice' });
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'demo leave Alice' });
  await reader.until('player.leave', { instanceId: 'demo', name: 'Alice' });

  // Over the private socket, not over HTTP.
  t.equal((await gamekeeper.cli('backup', 'demo')).code, 0);
  await reader.until('job.progress', { kind: 'backup', instanceId: 'demo', state: 'done' });
  const { id = '' } = await reader.until('backup.done', { instanceId: 'demo' });

  await gamekeeper.api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  const resumed = await listen({ 'last-event-id': id });
  await resumed.until('instance.phase', { instanceId: 'demo', status: 'stopped', phase: 'stopped' });
  t.notOk(
    resumed.events().some(({ event }) => event === 'backup.done' || event === 'player.join'),
    'earlier events are not sent again',
  );

  const gateway = processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command));
  process.kill(gateway?.pid ?? 0, 'SIGKILL');
  const next = await until('the next gateway serves', () => listen({ 'last-event-id': id }).catch(() => undefined));
  await next.until('events.gap', { lastEventId: id });
  await next.until('instance.phase', { instanceId: 'demo', status: 'stopped' });
});
