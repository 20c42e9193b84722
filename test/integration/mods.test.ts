import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { Job } from '../../shared/schema/job.ts';
import type { ModChanges, ModList } from '../../shared/schema/mods.ts';
import { useJavaOfThisMachine } from '../support/jobs/java-of-this-machine.ts';
import { isOnPath, requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { startFakeModrinth } from '../workers/jobs/mods/fake-modrinth.ts';
import { startKindVendors } from '../workers/jobs/software/kind-vendors.ts';

if (!isOnPath('javac')) {
  requireProgram(t, 'javac', 'openjdk-17-jdk-headless');
  process.exit();
}

t.test('a plugin installed on a running Paper server is loaded after a restart', async (t) => {
  const modrinth = await startFakeModrinth(t);
  const of = { loaders: ['spigot'], gameVersions: ['1.19.4'] };
  modrinth.add(
    { slug: 'claims', versions: [{ number: '1', ...of }] },
    { slug: 'maps', versions: [{ number: '1', ...of }] },
  );
  const { addresses } = await startKindVendors(t, { java: Buffer.alloc(1) });
  const settings = { vendors: { ...addresses, modrinth: modrinth.base } };
  const { api, home, token, waitForStatus } = await startGamekeeper(t, { settings });
  const plugins = path.join(home, 'instances/paper/plugins');
  useJavaOfThisMachine(home);
  await api('POST', '/instances', { name: 'Paper', software: 'paper', version: '1.19.4', acceptEula: true });
  await api('POST', '/instances/paper/start');
  await waitForStatus('paper', 'running');

  const installed = await api<ModChanges>('POST', '/instances/paper/mods', { project: 'claims' });
  t.match(installed.body, { state: 'waiting', changes: [{ name: 'Claims', action: 'install' }] });
  t.notOk(existsSync(path.join(plugins, 'claims-1.jar')));
  await api('POST', '/instances/paper/restart');
  await until('the plugin is installed', () => existsSync(path.join(plugins, 'claims-1.jar')));
  await waitForStatus('paper', 'running');
  const said = async () => (await api<{ lines: string[] }>('GET', '/instances/paper/logs?lines=50')).body.lines;
  t.ok((await said()).includes('[gamekeeper] Changed plugins: installed Claims 1.'));

  await api('POST', '/instances/paper/stop');
  await waitForStatus('paper', 'stopped');
  const removed = await api<ModChanges>('DELETE', '/instances/paper/mods/claims');
  t.equal(removed.body.state, 'done');
  t.same(readdirSync(plugins), []);

  // A download that never ends, whose jobs process is killed.
  modrinth.fault = ({ url = '' }, response) =>
    url.startsWith('/data/') && response.writeHead(200).write('PK') !== undefined;
  const headers = { authorization: `Bearer ${await token()}`, prefer: 'respond-async' };
  const { body: job } = await api<Job>('POST', '/instances/paper/mods', { project: 'maps' }, headers);
  await until('the download has begun', async () => (await api<Job>('GET', `/jobs/${job.jobId}`)).body.bytesDone > 0);
  const jobs = processesOf(home).find(({ command }) => command.includes('workers/jobs'));
  process.kill(jobs!.pid, 'SIGKILL');
  modrinth.fault = () => false;
  const again = await until('the jobs process is back', async () => {
    const answer = await api<ModChanges>('POST', '/instances/paper/mods', { project: 'maps' });
    return answer.status === 200 && answer.body;
  });
  t.equal(again.state, 'done');
  t.same(readdirSync(plugins), ['maps-1.jar']);
  t.match((await api<ModList>('GET', '/instances/paper/mods')).body, { folder: 'plugins', mods: [{ name: 'Maps' }] });
});
