/** A tunnel through frp, with a stand-in for its client that checks its configuration (test/fixtures/frpc.js). */
import { existsSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { SCOPES } from '../../shared/domain/access/scope.ts';
import { freePort } from '../support/machine/free-port.ts';
import { tryToJoin } from '../support/machine/game-client.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { tunnelState } from '../support/processes/tunnel-state.ts';

const FRPC = path.join(import.meta.dirname, '../fixtures/frpc.js');
const TOKEN = 'a-token-of-frps';

/** The server that the stand-in signs in to. */
async function startFrps(t: Test): Promise<{ port: number; disconnect: () => void }> {
  const clients = new Set<Socket>();
  const server: Server = createServer((socket) => {
    clients.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => clients.delete(socket));
    socket.once('data', (data) => {
      const { token, remotePort } = JSON.parse(data.toString());
      if (token !== TOKEN) socket.write(JSON.stringify({ fatal: 'token in login does not match' }));
      else if (remotePort === 1) socket.write(JSON.stringify({ error: `port not allowed ${TOKEN}` }));
      else socket.write(JSON.stringify({ port: remotePort }));
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const disconnect = () => {
    for (const socket of clients) socket.destroy();
  };
  t.teardown(() => {
    disconnect();
    server.close();
  });
  return { port, disconnect };
}

t.test('a port of a server with frps is opened by frpc, and nothing of it is left', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const frps = await startFrps(t);
  const { api, home } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const remotePort = await freePort();
  const base = {
    provider: 'frp',
    program: FRPC,
    serverAddr: '127.0.0.1',
    serverPort: frps.port,
    token: TOKEN,
    remotePort,
  };
  const set = (document: object) => api('PUT', '/instances/demo/tunnel/settings', document);

  t.match(await set(base), { status: 200, body: { token: '********' } });
  t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: `127.0.0.1:${remotePort}`, provider: 'frp' });
  t.match(await tryToJoin(remotePort, 'Anna'), /./, 'a player reaches the server');
  const configured = path.join(home, 'run/tunnels/demo/frpc.toml');
  t.ok(existsSync(configured));

  frps.disconnect();
  await tunnelState(gamekeeper, 'failed', /lost/);
  t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: `127.0.0.1:${remotePort}` }, 'opened again');

  const tunnel = processesOf(home).find(({ command }) => command.includes('workers/tunnel'));
  process.kill(tunnel!.pid, 'SIGKILL');
  await until(
    'frpc ended with the process that had started it',
    () => !processesOf(home).some(({ pid, command }) => pid !== tunnel!.pid && command.includes('frpc.js')),
  );
  await tunnelState(gamekeeper, 'up');

  await set({ ...base, remotePort: 1 });
  const refused = await tunnelState(gamekeeper, 'failed', /port not allowed/);
  t.notMatch(refused.error, TOKEN);
  await set({ ...base, program: '/nowhere/frpc' });
  await tunnelState(gamekeeper, 'failed', /\/nowhere\/frpc is not a program/);
  t.match(await set({ ...base, serverAddr: '{{ .Envs.HOME }}' }), { status: 400 });
  t.match(await set({ ...base, serverAddr: 'localhost', token: '********' }), {
    status: 400,
    body: { detail: /token/ },
  });

  await set({ provider: null });
  await until('frpc has ended', () => !processesOf(home).some(({ command }) => command.includes('frpc')));
  await until('its files are removed', () => !existsSync(configured));
  await api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
});

t.test('only a local administrator chooses the program', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const token = await gamekeeper.token({ scopes: [...SCOPES] });
  const set = (document: object) =>
    gamekeeper.api('PUT', '/instances/demo/tunnel/settings', document, { authorization: `Bearer ${token}` });
  const frp = { provider: 'frp', serverAddr: '127.0.0.1' };
  t.match(await set({ ...frp, program: '/bin/sh' }), { status: 403, body: { code: 'insufficient_scope' } });
  t.equal((await set(frp)).status, 200);
});
