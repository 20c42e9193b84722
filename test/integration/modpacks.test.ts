import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { ModList } from '../../shared/schema/mods.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { indexOf, modFile, packOf } from '../workers/jobs/modpacks/pack-files.ts';
import { startFakeFabric } from '../workers/jobs/mods/fake-fabric.ts';
import { GAME, startFakeModrinth } from '../workers/jobs/mods/fake-modrinth.ts';

t.test('a modpack becomes a server, and a jobs process that is killed meanwhile leaves nothing behind', async (t) => {
  const modrinth = await startFakeModrinth(t);
  const fabric = await startFakeFabric(t, GAME);
  modrinth.add({ slug: 'calm', versions: [{ number: '1' }] });
  const content = packOf(indexOf([modFile('calm', modrinth)]), [{ name: 'overrides/config/calm.toml', content: 'x' }]);
  modrinth.add({ slug: 'pack', type: 'modpack', versions: [{ number: '1', content }] });
  const settings = { vendors: { modrinth: modrinth.base, fabric: fabric.base } };
  const { api, home, token } = await startGamekeeper(t, { settings });
  const instances = path.join(home, 'instances');

  // A download that never ends.
  modrinth.fault = ({ url = '' }, response) =>
    url.endsWith('/calm.jar') && response.writeHead(200).write('PK') !== undefined;
  const headers = { authorization: `Bearer ${await token()}`, prefer: 'respond-async' };
  const { body: job } = await api<Job>('POST', '/instances/modpack', { project: 'pack' }, headers);
  t.match(job, { kind: 'import', instanceId: 'pack' });
  await until('the download has begun', () => modrinth.requests.some(({ line }) => line.endsWith('/calm.jar')));
  t.not(readdirSync(instances).length, 0, 'it is being prepared');
  const jobs = processesOf(home).find(({ command }) => command.includes('workers/jobs'));
  process.kill(jobs!.pid, 'SIGKILL');
  modrinth.fault = () => false;
  await until('the jobs process has tidied up', () => readdirSync(instances).length === 0);
  t.same((await api<Instance[]>('GET', '/instances')).body, []);

  const made = await until('the jobs process is back', async () => {
    const answer = await api<Instance>('POST', '/instances/modpack', { project: 'pack', name: 'Calm' });
    return answer.status === 201 && answer.body;
  });
  t.match(made, { id: 'calm', name: 'Calm', software: 'fabric', version: GAME });
  t.ok(existsSync(path.join(instances, 'calm/config/calm.toml')));
  t.match((await api<ModList>('GET', '/instances/calm/mods')).body.mods, [{ file: 'calm.jar', name: 'Calm' }]);
});
