/** A third-party client joins a third-party server through a tunnel. */
import path from 'node:path';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { startSshServer } from '../support/machine/ssh-server.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { tunnelState } from '../support/processes/tunnel-state.ts';
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
