import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { until } from '../../../../support/machine/until.ts';
import { fill } from '../../../pool/round-trip.ts';

const ID = { instanceId: 'survival' };

/** A running server, with a backup of an earlier world. */
async function running(jobs: TestJobs) {
  const { directory } = jobs.daemon.instances.get('survival')!.config;
  const world = path.join(directory, 'world/level.dat');
  fill(directory, { 'world/level.dat': 'then' });
  const { backupId } = await jobs.done(jobs.call.startBackup({ ...ID, cloudReplicate: false, reason: 'manual' }));
  writeFileSync(world, 'now');
  jobs.daemon.change('survival', { phase: 'running' });
  const supervisor = await jobs.daemon.supervisor('survival');
  supervisor.heard.length = 0;
  supervisor.onStop = () => jobs.daemon.change('survival', { phase: 'stopped' });
  return { supervisor, key: { ...ID, backupId: backupId! }, world: () => readFileSync(world, 'utf8') };
}

t.test('a running server is stopped, restored and started again', async (t) => {
  const jobs = await startTestJobs(t);
  const { supervisor, key, world } = await running(jobs);
  await t.rejects(jobs.call.startRestore(key), { code: 'invalid_state', resolution: /"restart": true/ });
  t.same(supervisor.heard, [], 'without being asked to, nothing stops it');
  t.match(await jobs.done(jobs.call.startRestore({ ...key, restart: true })), { state: 'done' });
  t.same(
    supervisor.heard.filter((what) => what !== 'renew'),
    ['stop', 'hold restoring', 'release', 'restart'],
  );
  t.equal(world(), 'then');
});

t.test('a stopped server stays stopped', async (t) => {
  const jobs = await startTestJobs(t);
  const { supervisor, key, world } = await running(jobs);
  jobs.daemon.change('survival', { phase: 'stopped' });
  await jobs.done(jobs.call.startRestore({ ...key, restart: true }));
  t.equal(world(), 'then');
  t.notOk(supervisor.heard.includes('stop') || supervisor.heard.includes('restart'));
});

t.test('after a restore that failed, the server runs again with what it had', async (t) => {
  const jobs = await startTestJobs(t);
  const { supervisor, key, world } = await running(jobs);
  const archive = await jobs.call.archivePath(key);
  const bytes = readFileSync(archive);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(archive, bytes);
  await t.rejects(jobs.done(jobs.call.startRestore({ ...key, restart: true })), { code: 'backup_damaged' });
  t.equal(supervisor.heard.at(-1), 'restart');
  t.equal(world(), 'now');
});

t.test('a restore that is cancelled while the server stops starts it again', async (t) => {
  const jobs = await startTestJobs(t);
  const { supervisor, key, world } = await running(jobs);
  supervisor.onStop = () => undefined;
  const { jobId } = await jobs.call.startRestore({ ...key, restart: true });
  await until('it is told to stop', () => supervisor.heard.includes('stop'));
  await jobs.call.cancel(jobId);
  await t.rejects(jobs.call.waitForJob(jobId), { message: /cancelled/ });
  t.same(supervisor.heard, ['stop', 'restart'], 'the latest request decides what follows');
  t.equal(world(), 'now');
});

t.test('a server that refuses to stop is left alone', async (t) => {
  const jobs = await startTestJobs(t);
  const { supervisor, key, world } = await running(jobs);
  supervisor.onStop = () => {
    throw new GamekeeperError('invalid_state', 'The server is being updated.');
  };
  await t.rejects(jobs.done(jobs.call.startRestore({ ...key, restart: true })), {
    message: 'The server is being updated.',
  });
  t.same(supervisor.heard, ['stop']);
  t.equal(world(), 'now');
});

t.test('a server that does not start after its restore says so', async (t) => {
  const jobs = await startTestJobs(t);
  const { supervisor, key, world } = await running(jobs);
  supervisor.onRestart = () => {
    throw new GamekeeperError('port_in_use', 'The port 25565 is in use.');
  };
  await t.rejects(jobs.done(jobs.call.startRestore({ ...key, restart: true })), {
    code: 'port_in_use',
    message: 'The backup was restored, but the server did not start. The port 25565 is in use.',
  });
  t.equal(world(), 'then');
});
