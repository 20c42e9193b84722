/** The local side of a daemon that is paired with a hosted proxy: the proxy's tokens grant their scopes. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { connectDaemon } from '../../gateway/upstream/clients.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { testProxy } from '../support/stand-ins/test-proxy.ts';

t.test("the paired proxy's tokens are accepted, also after restarts, until the pairing ends", async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const proxy = await testProxy(t);
  const daemon = connectDaemon(homeAt(gamekeeper.home).daemonSocket);
  t.teardown(() => daemon.close());
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });

  const bearer = async (scope: string, aud: string) => ({
    authorization: `Bearer ${await proxy.token({ claims: { scope, aud } })}`,
  });
  const statusWith = async (headers: Record<string, string>, path = '/instances') =>
    (await gamekeeper.api('GET', path, undefined, headers)).status;
  const audience = `urn:uuid:${(await daemon.call.info()).daemonId}`;
  const reader = await bearer('servers:read logs:read', audience);

  t.equal(await statusWith(reader), 401, 'not paired yet');
  t.equal((await daemon.call.setPairing(proxy.pairing)).audience, audience);
  await until('the token is accepted', async () => (await statusWith(reader)) === 200);
  t.equal(await statusWith(reader, '/instances/demo/logs'), 200);
  t.equal(await statusWith(reader, '/instances/demo/backups'), 403);
  t.equal(await statusWith(await bearer('servers:read', 'urn:uuid:another')), 401);

  const gateway = processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command));
  process.kill(gateway?.pid ?? 0, 'SIGKILL');
  await until('the next gateway accepts it', () =>
    statusWith(reader).then(
      (status) => status === 200,
      () => false,
    ),
  );
  await gamekeeper.endDaemon('SIGTERM');
  await gamekeeper.startDaemon();
  t.equal(await statusWith(reader), 200, 'the pairing is kept');

  const viewer = new WebSocket(`${gamekeeper.addresses().panel.replace(/^http/, 'ws')}/ws/instances/demo/console`, {
    headers: reader,
  });
  t.teardown(() => viewer.terminate());
  await once(viewer, 'open');
  await daemon.call.removePairing();
  await until('the token is refused', async () => (await statusWith(reader)) === 401);
  await until('the console that it opened is closed', () => viewer.readyState === viewer.CLOSED);
});
