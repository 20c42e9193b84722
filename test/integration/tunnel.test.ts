/** The address that players on the internet use, with a real server and a real SSH server. */
import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import type { TunnelResponse, TunnelSettingsDocument } from '../../shared/schema/tunnel.ts';
import { freePort } from '../support/machine/free-port.ts';
import { tryToJoin } from '../support/machine/game-client.ts';
import { startSshServer } from '../support/machine/ssh-server.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { tunnelState } from '../support/processes/tunnel-state.ts';

t.test('an address that the owner forwards is probed as a player would connect', async (t) => {
  const { gamekeeper, port } = await withDemo(t);
  const { api } = gamekeeper;
  t.same((await read(gamekeeper)).body, {
    enabled: false,
    tunnelAddress: '',
    numericAddress: '',
    pingMs: -1,
    state: 'off',
  });
  t.same((await settingsOf(gamekeeper)).body, { provider: null });

  t.match(await set(gamekeeper, { provider: 'static', address: `localhost:${port}` }), { status: 200 });
  t.match((await read(gamekeeper)).body, { enabled: false, state: 'off', provider: 'static' }, 'the server is stopped');
  await api('POST', '/instances/demo/start');
  const up = await tunnelState(gamekeeper, 'up');
  t.match(up, { enabled: true, tunnelAddress: `localhost:${port}`, numericAddress: `127.0.0.1:${port}` });
  t.ok(up.pingMs >= 0 && up.pingMs < 1000, `${up.pingMs} ms`);
  t.type(Date.parse(up.lastCheckedAt!), 'number');
  t.equal(up.error, undefined);

  const closed = await freePort();
  await set(gamekeeper, { provider: 'static', address: `127.0.0.1:${closed}` });
  t.match(await tunnelState(gamekeeper, 'failed'), { enabled: false, pingMs: -1, error: /refuses connections/ });
  await set(gamekeeper, { provider: 'static', address: 'does-not-exist.invalid' });
  t.match(await tunnelState(gamekeeper, 'failed', /DNS/), { pingMs: -1, numericAddress: '' });

  await api('POST', '/instances', { name: 'Other', software: 'demo', port: await freePort(), maxPlayers: 7 });
  await api('POST', '/instances/other/start');
  const other = await gamekeeper.waitForStatus('other', 'running');
  await set(gamekeeper, { provider: 'static', address: `127.0.0.1:${other.port}` });
  t.match(await tunnelState(gamekeeper, 'failed', /Another server/), { enabled: false });

  await set(gamekeeper, { provider: 'static', address: `127.0.0.1:${port}` });
  await tunnelState(gamekeeper, 'up');
  t.match(await api('POST', '/instances/demo/tunnel/test'), { status: 200, body: { state: 'up' } });
  await api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  t.match((await read(gamekeeper)).body, { enabled: false, state: 'off', tunnelAddress: '' });
  t.match(await api('POST', '/instances/demo/tunnel/test'), { status: 200, body: { state: 'off' } });
});

t.test(
  'a port of the own machine is forwarded over SSH',
  { skip: !requireProgram(t, 'sshd', 'openssh-server') },
  async (t) => {
    const ssh = await startSshServer(t);
    const { gamekeeper } = await withDemo(t);
    const { api } = gamekeeper;
    await api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');
    const remotePort = await freePort();
    const account = { provider: 'ssh', host: '127.0.0.1', port: ssh.port, username: 'root', remotePort } as const;
    const set = (document: object) => api<TunnelSettingsDocument>('PUT', '/instances/demo/tunnel/settings', document);

    await set({ ...account, password: 'wrong-password' });
    t.match(await tunnelState(gamekeeper, 'failed'), { error: /does not accept the user root with this password/ });

    t.match(await set({ ...account, privateKey: ssh.privateKey }), {
      status: 200,
      body: { provider: 'ssh', privateKey: '********', remotePort },
    });
    const up = await tunnelState(gamekeeper, 'up');
    t.match(up, { enabled: true, tunnelAddress: `127.0.0.1:${remotePort}`, hostKey: ssh.fingerprint });
    t.match(await tryToJoin(remotePort, 'Anna'), /./, 'a player reaches the server through the tunnel');
    await until('the host key is pinned', async () => {
      const { body } = await settingsOf(gamekeeper);
      return body.provider === 'ssh' && body.hostKey === ssh.fingerprint;
    });

    t.test('its bytes are counted', async () => {
      const metric = /^gamekeeper_instance_tunnel_bytes_total\{.*direction="to_players".*\} (\d+)$/m;
      await until('the metrics have them', async () => {
        await api('POST', '/instances/demo/tunnel/test');
        const { body } = await api<string>('GET', '/metrics');
        return Number(metric.exec(String(body))?.[1]) > 0;
      });
    });

    t.test('the supervisor keeps it when daemon and gateway are killed', async (t) => {
      await gamekeeper.endDaemon('SIGKILL');
      t.match(await tryToJoin(remotePort, 'Anna'), /./, 'players still come in');
      await gamekeeper.startDaemon();
      t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: `127.0.0.1:${remotePort}` });
    });

    t.test('it is opened again after it was lost', async (t) => {
      await ssh.kill();
      t.match(await tunnelState(gamekeeper, 'failed'), { error: /connection|refuses/ });
      t.equal((await gamekeeper.api<{ status: string }>('GET', '/instances/demo')).body.status, 'running');
      await ssh.start();
      t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: `127.0.0.1:${remotePort}` });
    });

    t.test('a masked secret is never sent to another server', async (t) => {
      t.match(await set({ ...account, privateKey: '********', remotePort: 0 }), { status: 200 });
      await tunnelState(gamekeeper, 'up');
      t.match(await set({ ...account, privateKey: '********', host: 'localhost' }), {
        status: 400,
        body: { code: 'invalid_request', detail: /privateKey/ },
      });
    });

    t.test('another host key is refused', async (t) => {
      const hostKey = `SHA256:${'A'.repeat(43)}`;
      await set({ ...account, privateKey: '********', hostKey });
      const { error = '' } = await tunnelState(gamekeeper, 'failed', /host key/);
      t.ok(error.includes(ssh.fingerprint), error);
    });

    t.test('it ends with the server', async () => {
      await set({ ...account, privateKey: '********', hostKey: ssh.fingerprint });
      await tunnelState(gamekeeper, 'up');
      await api('POST', '/instances/demo/stop');
      await gamekeeper.waitForStatus('demo', 'stopped');
      await until('the port is closed', () => refuses(remotePort));
      await until(
        'no tunnel process is left',
        async () => !processesOf(gamekeeper.home).some(({ command }) => command.includes('workers/tunnel')),
      );
    });
  },
);

async function withDemo(t: Parameters<typeof startGamekeeper>[0]): Promise<{ gamekeeper: Gamekeeper; port: number }> {
  const gamekeeper = await startGamekeeper(t);
  const port = await freePort();
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port });
  return { gamekeeper, port };
}

const read = ({ api }: Gamekeeper) => api<TunnelResponse>('GET', '/instances/demo/tunnel');
const settingsOf = ({ api }: Gamekeeper) => api<TunnelSettingsDocument>('GET', '/instances/demo/tunnel/settings');
const set = ({ api }: Gamekeeper, document: object) =>
  api<TunnelSettingsDocument>('PUT', '/instances/demo/tunnel/settings', document);

async function refuses(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch((error: Error) => [error]);
  socket.destroy();
  return outcome[0] instanceof Error;
}
