import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Backup } from '../../shared/schema/backup.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { smallDisk } from '../workers/jobs/backups/stores/store-folder.ts';
import { fill } from '../workers/pool/round-trip.ts';

const MIB = 1024 * 1024;
const AT = '/instances/demo';

interface Problem {
  code: string;
  detail: string;
}

/** Starts a demo server with an additional region file of this size. */
async function startServer(gamekeeper: Gamekeeper, mebibytes: number): Promise<void> {
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  fill(path.join(gamekeeper.home, 'instances/demo'), { 'world/region/r.9.9.mca': randomBytes(mebibytes * MIB) });
  await gamekeeper.api('POST', `${AT}/start`);
  await gamekeeper.waitForStatus('demo', 'running');
}

/** Fills the disk. Returns a function that frees the disk space again. */
function fillDisk(disk: string): () => void {
  const file = path.join(disk, 'ballast');
  const descriptor = openSync(file, 'w');
  try {
    for (let piece = Buffer.alloc(MIB); piece.length >= 1; ) {
      try {
        writeSync(descriptor, piece);
      } catch {
        piece = piece.subarray(0, Math.floor(piece.length / 2)); // There is not that much disk space left.
      }
    }
  } finally {
    closeSync(descriptor);
  }
  return () => rmSync(file);
}

/** Checks that the server runs, accepts commands and is not locked. */
async function checkServer(t: Test, gamekeeper: Gamekeeper): Promise<void> {
  t.match((await gamekeeper.api('POST', `${AT}/commands`, { command: 'save-on' })).body, {
    output: 'Saving is already turned on',
  });
  const { body } = await gamekeeper.api<Instance>('GET', AT);
  t.match(body, { status: 'running' });
  t.notOk(body.activity);
}

t.test('the backups folder is on a disk that is full or fills up', async (t) => {
  const disk = smallDisk(t, 60);
  if (!disk) return;
  const gamekeeper = await startGamekeeper(t, { settings: { backups: { directory: disk.directory } } });
  await startServer(gamekeeper, 40);
  const archives = path.join(disk.directory, 'demo');

  await t.test(
    'a backup during which the disk fills up fails with the reason and leaves no partial file',
    async (t) => {
      const token = { authorization: `Bearer ${await gamekeeper.token()}`, prefer: 'respond-async' };
      const { body } = await gamekeeper.api<Job>('POST', `${AT}/backup`, undefined, token);
      await until(
        'the archive has been created',
        () => readdirSync(disk.directory).length > 0 && readdirSync(archives).length > 0,
      );
      const giveBack = fillDisk(disk.directory);
      const job = await until('the job has ended', async () => {
        const { body: now } = await gamekeeper.api<Job>('GET', `/jobs/${body.jobId}`);
        return !/queued|running/.test(now.state) && now;
      });
      t.match(job, { state: 'failed', error: { code: 'insufficient_storage', detail: /full|free/ } });
      t.same(readdirSync(archives), []);
      await checkServer(t, gamekeeper);
      giveBack();
    },
  );

  await t.test('a backup that does not fit is refused before it begins, with the sizes', async (t) => {
    const first = await gamekeeper.api<Backup>('POST', `${AT}/backup`);
    t.equal(first.status, 200);
    const second = await gamekeeper.api<Problem>('POST', `${AT}/backup`);
    t.match(second, {
      status: 507,
      body: {
        code: 'insufficient_storage',
        detail: /^The backup needs up to [\d.]+ MiB, but only [\d.]+ MiB are free\.$/,
      },
    });
    t.same(readdirSync(archives).sort(), [`${first.body.backupId}.json`, `${first.body.backupId}.zip`]);
    t.match((await gamekeeper.api('POST', `${AT}/backups/${first.body.backupId}/verify`)).body, { ok: true });
    await checkServer(t, gamekeeper);
  });
});

t.test('a store on a full disk keeps the copy waiting with the reason, and the backup succeeds', async (t) => {
  const disk = smallDisk(t, 8);
  if (!disk) return;
  const stores = [{ name: 'usb', kind: 'folder', directory: disk.directory }];
  const gamekeeper = await startGamekeeper(t, { settings: { backups: { stores } } });
  await startServer(gamekeeper, 4);
  const giveBack = fillDisk(disk.directory);
  const { status, body } = await gamekeeper.api<Backup>('POST', `${AT}/backup`);
  t.equal(status, 200);
  const backup = () => gamekeeper.api<Backup>('GET', `${AT}/backups/${body.backupId}`).then((answer) => answer.body);
  const failed = await until('the copy has failed', async () => {
    const now = await backup();
    return now.replicas[0]?.error !== undefined && now;
  });
  t.match(failed, { local: 'present', replicas: [{ store: 'usb', error: /full|room|space/i, nextAttemptAt: String }] });
  giveBack();
  await gamekeeper.api('POST', `${AT}/backups/${body.backupId}/replicate`);
  await until('the backup is copied', async () => (await backup()).cloudStatus === 'replicated');
  t.same(readdirSync(path.join(disk.directory, 'demo')), [`${body.backupId}.zip`]);
});

t.test('servers and our processes keep running while the data directory is on a full disk', async (t) => {
  const disk = smallDisk(t, 120);
  if (!disk) return;
  // startGamekeeper creates the data directory below it.
  const before = tmpdir();
  process.env.TMPDIR = disk.directory;
  t.teardown(() => {
    process.env.TMPDIR = before;
  });
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Rested', software: 'demo', port: await freePort() });
  const launch = { command: ['sh', '-c', 'echo up; read line'] };
  await gamekeeper.api('POST', '/instances', { name: 'Plain', software: 'custom', launch, readyPattern: '^up$' });
  await gamekeeper.api('POST', '/instances/plain/start');
  await gamekeeper.waitForStatus('plain', 'running');
  await gamekeeper.api('POST', '/instances/plain/stop');
  await gamekeeper.waitForStatus('plain', 'stopped');
  await startServer(gamekeeper, 4);
  t.equal((await gamekeeper.api('POST', `${AT}/backup`)).status, 200, 'before the disk is full');
  const viewer = await gamekeeper.console('demo');

  const giveBack = fillDisk(disk.directory);
  const refused = gamekeeper.api<Problem>('POST', `${AT}/backup`);
  t.match(await refused, { status: 507, body: { code: 'insufficient_storage' } });
  await checkServer(t, gamekeeper);
  const full = { status: 507, body: { code: 'insufficient_storage', detail: /full/, resolution: /./ } };
  t.match(await gamekeeper.api('PATCH', AT, { name: 'Another' }), full);
  t.match(await gamekeeper.api('POST', '/instances', { name: 'Second', software: 'demo' }), full);
  t.match(await gamekeeper.api('POST', '/instances/rested/start'), full, 'a server that has never run');
  t.match(await gamekeeper.api('POST', '/instances/plain/start'), full, 'a server whose start cannot be recorded');
  t.match((await gamekeeper.api('GET', '/instances/plain')).body, { status: 'stopped' });
  t.same(
    processesOf(gamekeeper.home).filter(({ command }) => command.startsWith('sh -c echo up')),
    [],
    'a supervisor could not have recovered such a process',
  );
  viewer.send('say still here');
  await viewer.waitFor(/still here/);

  // The servers must survive the end of the daemon even while it cannot start again.
  const games = () => processesOf(gamekeeper.home).filter(({ command }) => /workers\/demo/.test(command));
  const [game] = games();
  await gamekeeper.endDaemon('SIGKILL');
  const starting = gamekeeper.startDaemon();
  await until('the daemon reports why it does not start', () =>
    /data directory is full\.\nFree/.test(gamekeeper.output()),
  );
  t.same(games(), [game]);
  giveBack();
  await starting;
  await gamekeeper.waitForStatus('demo', 'running');
  t.same(games(), [game]);

  const giveBackAgain = fillDisk(disk.directory);
  const { body: made } = await gamekeeper.api<Backup[]>('GET', `${AT}/backups`);
  t.equal(
    (await gamekeeper.api('DELETE', `${AT}/backups/${made[0]?.backupId}`)).status,
    204,
    'deleting frees disk space',
  );
  t.equal((await gamekeeper.api('POST', `${AT}/stop`)).status, 200);
  await gamekeeper.waitForStatus('demo', 'stopped');
  giveBackAgain();

  t.equal((await gamekeeper.api('POST', '/instances/plain/start')).status, 200, 'there is disk space again');
  t.equal((await gamekeeper.api('POST', `${AT}/backup`)).status, 200);
  const { body } = await gamekeeper.api<LogsResponse>('GET', `${AT}/logs?lines=1000`);
  t.match(body.lines.join('\n'), /still here/);
});
