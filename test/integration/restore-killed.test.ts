/** kill -9 of real processes in the middle of a restore that stops a running server and starts it again. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Backup } from '../../shared/schema/backup.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { fill } from '../workers/pool/round-trip.ts';

/** Enough that unpacking it can be interrupted. */
const WORLD_BYTES = 60_000_000;

/** Starts a server, and a restore of its backup. Resolves once the server is stopped and the backup is being unpacked. */
async function restoring(t: Test): Promise<Gamekeeper> {
  const gamekeeper = await startGamekeeper(t);
  const { api, home } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  fill(path.join(home, 'instances/demo'), { 'world/r.0.0.mca': randomBytes(WORLD_BYTES) });
  const { backupId } = (await api<Backup>('POST', '/instances/demo/backup')).body;
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const headers = { authorization: `Bearer ${await gamekeeper.token()}`, prefer: 'respond-async' };
  const restore = await api('POST', `/instances/demo/backups/${backupId}/restore`, { restart: true }, headers);
  t.equal(restore.status, 202);
  await until('the backup is being unpacked', () => existsSync(homeAt(home).restoreMark('demo')));
  t.ok(existsSync(homeAt(home).restartMark('demo')), 'the restart is on record');
  return gamekeeper;
}

function jobsOf({ home }: Gamekeeper): number | undefined {
  return processesOf(home).find(({ command }) => /workers\/jobs/.test(command))?.pid;
}

async function isRunningOnce(t: Test, gamekeeper: Gamekeeper): Promise<void> {
  const { restartMark, restoreMark } = homeAt(gamekeeper.home);
  await gamekeeper.waitForStatus('demo', 'running');
  await until('nothing is left to do', () => ![restartMark('demo'), restoreMark('demo')].some(existsSync));
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/demo/logs?lines=1000')).body;
  t.equal(lines.filter((line) => line.includes('Done (')).length, 2, 'it was started once more');
}

/** Nothing is on record that would start the server again. */
async function staysStopped(t: Test, gamekeeper: Gamekeeper): Promise<void> {
  await gamekeeper.api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.match((await gamekeeper.api('GET', '/instances/demo')).body, { phase: 'stopped' });
}

t.test('after kill -9 of the jobs process, the server is started once', async (t) => {
  const gamekeeper = await restoring(t);
  process.kill(jobsOf(gamekeeper)!, 'SIGKILL');
  await isRunningOnce(t, gamekeeper);
  await staysStopped(t, gamekeeper);
});

t.test('after kill -9 of the daemon, or its orderly end, the next one starts the server once', async (t) => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const gamekeeper = await restoring(t);
    await gamekeeper.endDaemon(signal);
    await until('jobs are gone', () => jobsOf(gamekeeper) === undefined);
    await gamekeeper.startDaemon();
    await isRunningOnce(t, gamekeeper);
    await gamekeeper.stop();
  }
});
