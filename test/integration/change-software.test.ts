/** Changes the software of a server and starts it, with programs from local vendors. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { isOnPath, requireProgram } from '../support/machine/system-packages.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { startKindVendors } from '../workers/jobs/software/kind-vendors.ts';

if (!isOnPath('javac') || !isOnPath('jlink')) {
  requireProgram(t, 'javac', 'openjdk-17-jdk-headless');
  process.exit();
}

t.test('a vanilla server becomes a Paper, then a Fabric server, and keeps its world and settings', async (t) => {
  const { addresses: vendors } = await startKindVendors(t);
  const { api, home, waitForStatus } = await startGamekeeper(t, { settings: { vendors } });
  const change = (body: object) => api('PATCH', '/instances/world', body);
  const installed = () => JSON.parse(readFileSync(path.join(home, 'installed/world.json'), 'utf8')) as object;
  const round = async () => {
    t.equal((await api('POST', '/instances/world/start')).status, 200);
    await waitForStatus('world', 'running', { deadlineMs: 60_000 });
  };
  const stop = async () => {
    await api('POST', '/instances/world/stop');
    await waitForStatus('world', 'stopped');
  };
  const port = await freePort();
  await api('POST', '/instances', {
    ...{ name: 'World', software: 'vanilla', version: '1.19.4', acceptEula: true, memoryMb: 512, port },
    rcon: { port: await freePort(), password: 'p' },
  });
  const folder = path.join(home, 'instances/world');
  mkdirSync(path.join(folder, 'world'), { recursive: true });
  writeFileSync(path.join(folder, 'world/level.dat'), 'the world');
  await round();
  const running = await change({ software: 'paper' });
  t.match(running, { status: 409, body: { code: 'invalid_state', detail: /running.*can change its software/ } });
  await stop();

  t.match(await change({ software: 'bedrock' }), { status: 400, body: { detail: /^software: .*different formats/ } });
  t.match(await change({ software: 'velocity' }), { status: 400, body: { detail: /^software: .*another game/ } });
  t.match(await change({ software: 'paper' }), { status: 200, body: { software: 'paper', version: '1.19.4', port } });
  await round();
  t.match(installed(), { kind: 'paper', version: '1.19.4' });
  await stop();

  t.match(await change({ software: 'fabric', name: 'Modded' }), { status: 200, body: { software: 'fabric' } });
  await round();
  t.ok(existsSync(path.join(folder, 'fabric-server-launch.jar')));
  t.match(installed(), { kind: 'fabric', version: '1.19.4' });
  await stop();

  t.equal(readFileSync(path.join(folder, 'world/level.dat'), 'utf8'), 'the world');
  await change({ version: '1.19.3' });
  const missing = await change({ software: 'purpur' });
  t.match(missing, {
    status: 404,
    body: { code: 'version_not_found', detail: /no Purpur 1\.19\.3/, resolution: /such as 1\.19\.4/ },
  });
  t.match(await change({ software: 'purpur', version: '1.19.4' }), {
    status: 200,
    body: { software: 'purpur', version: '1.19.4', name: 'Modded' },
  });
});
