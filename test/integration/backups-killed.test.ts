import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { generateIdentity } from 'age-encryption';
import t, { type Test } from 'tap';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { Answer } from '../support/http/request-json.ts';
import { freePort } from '../support/machine/free-port.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { fill, inventory } from '../workers/pool/round-trip.ts';

const WORLD_BYTES = 6_000_000;
/** Makes a copy take about a second. */
const BYTES_PER_SECOND = 6_000_000;

interface Setup {
  gamekeeper: Gamekeeper;
  /** Folder of the copies. */
  far: string;
  folder: string;
  archives: string;
}

/** A stopped server with a world of a few megabytes, and a slow store. */
async function setup(t: Test, encryption?: object): Promise<Setup> {
  const directory = path.join(temporaryFolder(t), 'nas');
  mkdirSync(directory);
  writeFileSync(path.join(directory, '.gamekeeper-store'), '');
  const settings = {
    backups: {
      stores: [{ name: 'nas', kind: 'folder', directory }],
      bandwidth: { uploadBytesPerSecond: BYTES_PER_SECOND, downloadBytesPerSecond: BYTES_PER_SECOND },
      ...(encryption && { encryption }),
    },
  };
  const gamekeeper = await startGamekeeper(t, { settings });
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  const folder = fill(path.join(gamekeeper.home, 'instances/demo'), { 'world/r.0.0.mca': randomBytes(WORLD_BYTES) });
  return {
    gamekeeper,
    folder,
    far: path.join(directory, 'demo'),
    archives: path.join(gamekeeper.home, 'backups/demo'),
  };
}

async function killJobs({ home }: Gamekeeper): Promise<void> {
  const jobs = processesOf(home).find(({ command }) => /workers\/jobs/.test(command));
  if (!jobs) throw new Error('There is no jobs process.');
  process.kill(jobs.pid, 'SIGKILL');
  await until('the killed process is gone', () => processesOf(home).every(({ pid }) => pid !== jobs.pid));
}

/** Repeats a request until the jobs process is back. */
async function ask<Body>(gamekeeper: Gamekeeper, method: string, path: string, headers?: Record<string, string>) {
  let last: Answer<Body> | undefined;
  const token = headers && { ...headers, authorization: `Bearer ${await gamekeeper.token()}` };
  await until(
    `${method} ${path} is answered`,
    async () => {
      last = await gamekeeper.api<Body>(method, path, undefined, token);
      return last.status < 400;
    },
    { describe: () => last },
  );
  return last!.body;
}

async function backUp(gamekeeper: Gamekeeper): Promise<string> {
  return (await ask<Backup>(gamekeeper, 'POST', '/instances/demo/backup')).backupId;
}

/** Waits for the copy, and compares it with the catalogue and the original. */
async function checkCopy(t: Test, { gamekeeper, far, archives }: Setup, backupId: string): Promise<Backup> {
  const at = `/instances/demo/backups/${backupId}`;
  let last: Backup | undefined;
  await until(
    `${backupId} is copied`,
    async () => {
      last = await ask<Backup>(gamekeeper, 'GET', at);
      return last.cloudStatus === 'replicated';
    },
    { describe: () => last },
  );
  const backup = last!;
  const { encrypted, sizeBytes } = backup.replicas[0]!;
  const copy = readFileSync(path.join(far, `${backupId}.zip${encrypted ? '.age' : ''}`));
  t.equal(copy.length, sizeBytes);
  if (!encrypted) t.equal(createHash('sha256').update(copy).digest('hex'), backup.sha256);
  t.match(await ask(gamekeeper, 'POST', `${at}/verify`), { ok: true });
  const ofIt = (folder: string) => unfinished(folder).filter((name) => name.startsWith(backupId));
  t.same(ofIt(far), [], 'the store has no partial file of it');
  await until('the backups folder has no partial file of it', () => ofIt(archives).length === 0, {
    describe: () => readdirSync(archives),
  });
  return backup;
}

function unfinished(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => !/^[^.]+\.(zip|json|zip\.age)$/.test(name) || /\.age\.json$/.test(name));
}

t.test('a backup that the end of the jobs process cuts off stays in the list as failed', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  fill(path.join(gamekeeper.home, 'instances/demo'), { 'world/r.0.0.mca': randomBytes(10 * WORLD_BYTES) });
  const archives = path.join(gamekeeper.home, 'backups/demo');
  const async = { authorization: `Bearer ${await gamekeeper.token()}`, prefer: 'respond-async' };
  const { body: begun } = await gamekeeper.api<Job>('POST', '/instances/demo/backup', undefined, async);
  await until('the archive is being written', () => unfinished(archives).length > 0);
  await killJobs(gamekeeper);
  const failed = { jobId: begun.jobId, state: 'failed', endedAt: String, error: { code: 'worker_unavailable' } };
  t.match(await ask(gamekeeper, 'GET', `/jobs/${begun.jobId}`), failed);
  t.match(await ask(gamekeeper, 'GET', '/jobs'), [failed]);
  t.match(await backUp(gamekeeper), /^\d/, 'the next one is made');
});

t.test('every copy is made if the jobs process is killed while it copies and encrypts', async (t) => {
  const parts = await setup(t, { identity: await generateIdentity() });
  const { gamekeeper, archives } = parts;
  const made: string[] = [];
  for (let round = 0; round < 2; round++) {
    made.push(await backUp(gamekeeper));
    await delay(200 + round * 500);
    await killJobs(gamekeeper);
  }
  for (const backupId of made) await checkCopy(t, parts, backupId);
  const listed = await ask<Backup[]>(gamekeeper, 'GET', '/instances/demo/backups');
  t.same(listed.map(({ backupId }) => backupId).toSorted(), made.toSorted());
  t.same(
    readdirSync(archives).filter((name) => name.endsWith('.zip')),
    made.toSorted().map((backupId) => `${backupId}.zip`),
  );

  for (const backupId of made) {
    await ask(gamekeeper, 'DELETE', `/instances/demo/backups/${backupId}`);
    if (backupId === made[0]) await killJobs(gamekeeper);
  }
  await until('no copy is left', () => readdirSync(parts.far).length === 0, {
    describe: () => readdirSync(parts.far),
  });
});

t.test(
  'a copy that was cut off by the end of the daemon is made after the next start without any request',
  async (t) => {
    const parts = await setup(t);
    const { gamekeeper, far } = parts;
    const backupId = await backUp(gamekeeper);
    await until('the copy has begun', () => existsSync(far) && unfinished(far).length > 0);
    await gamekeeper.endDaemon('SIGKILL');
    await until('jobs are gone', () =>
      processesOf(gamekeeper.home).every(({ command }) => !/workers\/jobs/.test(command)),
    );
    t.notOk(existsSync(path.join(far, `${backupId}.zip`)));
    await gamekeeper.startDaemon();
    await until('the copy is complete', () => existsSync(path.join(far, `${backupId}.zip`)));
    await checkCopy(t, parts, backupId);
  },
);

t.test('a restore from a copy that is killed at any moment leaves the old or the new folder, not locked', async (t) => {
  const parts = await setup(t);
  const { gamekeeper, folder, archives } = parts;
  const backupId = await backUp(gamekeeper);
  await checkCopy(t, parts, backupId);
  const then = inventory(folder);
  const at = `/instances/demo/backups/${backupId}`;
  for (let round = 0; round < 2; round++) {
    fill(folder, { 'world/level.dat': `round ${round}` });
    const now = inventory(folder);
    rmSync(path.join(archives, `${backupId}.zip`), { force: true });
    const { jobId } = await ask<Job>(gamekeeper, 'POST', `${at}/restore`, { prefer: 'respond-async' });
    await until(
      'the download has begun',
      async () => (await ask<Job>(gamekeeper, 'GET', `/jobs/${jobId}`)).bytesDone > 0,
    );
    await delay(200 + round * 500);
    await killJobs(gamekeeper);
    const { local, cloudStatus } = await ask<Backup>(gamekeeper, 'GET', at);
    t.equal(local, existsSync(path.join(archives, `${backupId}.zip`)) ? 'present' : 'missing');
    t.equal(cloudStatus, 'replicated');
    t.same(
      unfinished(archives).filter((name) => !name.endsWith('.download.partial')),
      [],
      'the only partial file is the download that the next restore resumes',
    );
    const found = inventory(folder);
    t.ok(
      [now, then].some((state) => isDeepStrictEqual(state, found)),
      `killed in round ${round}: the folder is the old or the new one`,
    );
    t.same(
      readdirSync(path.dirname(folder)).filter((name) => name.endsWith('.new')),
      [],
    );
  }
  await ask(gamekeeper, 'POST', `${at}/restore`);
  t.same(inventory(folder), then, 'without a kill, it is restored');
  t.same(unfinished(archives), [], 'no partial download is left');
  await ask(gamekeeper, 'POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
});
