import path from 'node:path';
import t from 'tap';
import type { Provisioned } from '../../../../shared/contract/jobs.ts';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';
import { isOnPath, requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { paperclip, writeServer } from '../../pool/recognise/server-folders.ts';
import { startKindVendors } from '../software/kind-vendors.ts';

if (!isOnPath('javac') || !isOnPath('jlink')) {
  requireProgram(t, 'javac', 'openjdk-17-jdk-headless');
  process.exit();
}
const vendors = await startKindVendors(t);
const jobs = await startTestJobs(t, { instances: [] });
jobs.daemon.settings.vendors = vendors.addresses;

/** Installs what an instance needs to start. */
async function provision(id: string): Promise<Provisioned> {
  for await (const step of jobs.call.provision(id)) if ('done' in step) return step.done;
  throw new Error('It ended without a result.');
}

t.test('a start runs the imported program and asks no vendor for another', async (t) => {
  const installed = instanceConfig(jobs.home, 'first', { software: 'forge', version: '1.19.4' });
  jobs.daemon.instances.set('first', { config: installed, runtime: { phase: 'stopped' }, socket: null });
  const first = await provision('first');
  jobs.daemon.instances.delete('first');

  const { id, recognised } = await jobs.call.importFolder({
    directory: installed.directory,
    name: 'Second',
    id: 'second',
  });
  t.match(recognised, { software: { value: 'forge' }, version: { value: '1.19.4' }, missing: [] });
  const asked = vendors.requests.length;
  t.same(await provision(id), first, 'the same build, on the same Java');
  t.equal(vendors.requests.length, asked);

  const { config } = jobs.daemon.instances.get(id)!;
  jobs.daemon.instances.set(id, {
    config: { ...config, version: '1.16.5', javaVersion: '17' },
    runtime: { phase: 'stopped' },
    socket: null,
  });
  t.notSame((await provision(id)).start, first.start, 'another version replaces it');
});

t.test('an imported jar keeps its name', async (t) => {
  const directory = writeServer(path.join(temporaryFolder(t), 'mine'), {
    'my paper.jar': paperclip('paper', '1.19.4'),
  });
  const { id } = await jobs.call.importFolder({ directory, javaVersion: '17' });
  const { config } = jobs.daemon.instances.get(id)!;
  jobs.daemon.instances.set(id, {
    config: { ...config, javaVersion: '17' },
    runtime: { phase: 'stopped' },
    socket: null,
  });
  t.same((await provision(id)).start, ['-jar', 'my paper.jar']);
});
