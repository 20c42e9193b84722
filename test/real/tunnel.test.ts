/** A third-party client joins a third-party server through a tunnel. */
import path from 'node:path';
import t from 'tap';
import { pingServer } from '../../shared/node/list-ping/ping-server.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startSshServer } from '../support/machine/ssh-server.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { tunnelState } from '../support/processes/tunnel-state.ts';
import { linkToProxy } from '../support/proxy/linked-daemon.ts';
import { SUFFIX, startPlayerProxy } from '../support/proxy/player-proxy.ts';
import { joinPlayer } from './player.ts';

t.test('a player joins over SSH, and again after the connection was lost', async (t) => {
  if (!requireProgram(t, 'sshd', 'openssh-server')) return;
  const ssh = await startSshServer(t);
  const gamekeeper = await startGamekeeper(t);
  const [port, remotePort] = [await freePort(), await freePort()];
  const server = path.join(import.meta.dirname, 'flying-squid.js');
  await gamekeeper.api('POST', '/instances', {
    name: 'Demo',
    software: 'custom',
    port,
    launch: { command: [process.execPath, server, '--port', String(port)] },
    readyPattern: 'Server listening on port',
  });
  await gamekeeper.api('PUT', '/instances/demo/tunnel/settings', {
    provider: 'ssh',
    host: '127.0.0.1',
    port: ssh.port,
    username: 'root',
    privateKey: ssh.privateKey,
    remotePort,
  });
  await gamekeeper.api('POST', '/instances/demo/start');
  t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: `127.0.0.1:${remotePort}` });

  const anna = joinPlayer({ port: remotePort, name: 'Anna' });
  t.teardown(() => anna.quit());
  await anna.whenSpawned;
  await ssh.kill();
  await anna.left;
  await tunnelState(gamekeeper, 'failed');
  await ssh.start();
  await tunnelState(gamekeeper, 'up');
  const again = joinPlayer({ port: remotePort, name: 'Anna' });
  t.teardown(() => again.quit());
  await again.whenSpawned;
  t.match((await gamekeeper.api('GET', '/instances/demo')).body, { status: 'running' }, 'the game did not notice');
});

t.test('players join two servers behind one port of the proxy', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { world, players } = await startPlayerProxy(t);
  await linkToProxy(t, gamekeeper, world);
  const server = path.join(import.meta.dirname, 'flying-squid.js');
  for (const id of ['first', 'second']) {
    const port = await freePort();
    await gamekeeper.api('POST', '/instances', {
      name: id,
      software: 'custom',
      port,
      launch: { command: [process.execPath, server, '--port', String(port)] },
      readyPattern: 'Server listening on port',
    });
    await gamekeeper.api('PUT', `/instances/${id}/tunnel/settings`, { provider: 'relay', hostname: id });
    await gamekeeper.api('POST', `/instances/${id}/start`);
  }
  for (const [id, name] of [
    ['first', 'Anna'],
    ['second', 'Ben'],
  ] as const) {
    await until(`the tunnel of ${id} is up`, async () => {
      const { body } = await gamekeeper.api<{ state: string }>('GET', `/instances/${id}/tunnel`);
      return body.state === 'up';
    });
    const player = joinPlayer({ port: players, name, host: `${id}.${SUFFIX}` });
    t.teardown(() => player.quit());
    await player.whenSpawned;
  }
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  const carla = joinPlayer({ port: players, name: 'Carla', host: `second.${SUFFIX}` });
  t.teardown(() => carla.quit());
  await carla.whenSpawned;
  const online = async (id: string) =>
    (await pingServer({ host: '127.0.0.1', port: players, name: `${id}.${SUFFIX}`, timeoutMs: 5_000 })).online;
  t.equal(await online('first'), 1, 'Anna');
  t.equal(await online('second'), 2, 'Ben, who stayed, and Carla');
});
