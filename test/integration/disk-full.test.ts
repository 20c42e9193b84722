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

/** A running demo server with so much of a world beside its own. */
async function startServer(gamekeeper: Gamekeeper, mebibytes: number): Promise<void> {
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  fill(path.join(gamekeeper.home, 'instances/demo'), { 'world/region/r.9.9.mca': randomBytes(mebibytes * MIB) });
  await gamekeeper.api('POST', `${AT}/start`);
  await gamekeeper.waitForStatus('demo', 'running');
}

/** Takes all room that there is. Returns how to give it back. */
function fillDisk(disk: string): () => void {
  const file = path.join(disk, 'ballast');
  const descriptor = openSync(file, 'w');
  try {
    for (let piece = Buffer.alloc(MIB); piece.length >= 1; ) {
      try {
        writeSync(descriptor, piece);
      } catch {
        piece = piece.subarray(0, Math.floor(piece.length / 2)); // No room for so much: what is left is less.
      }
    }
  } finally {
    closeSync(descriptor);
  }
  return () => rmSync(file);
}

/** The server goes on, takes commands, and saves its world by itself. */
async function checkServer(t: Test, gamekeeper: Gamekeeper): Promise<void> {
  t.match((await gamekeeper.api('POST', `${AT}/commands`, { command: 'save-on' })).body, {
    output: 'Saving is already turned on',
  });
  const { body } = await gamekeeper.api<Instance>('GET', AT);
  t.match(body, { status: 'running' });
  t.notOk(body.activity);
}

t.test('a backups folder on a disk that is full, or becomes so', async (t) => {
  const disk = smallDisk(t, 60);
  if (!disk) return;
  const gamekeeper = await startGamekeeper(t, { settings: { backups: { directory: disk.directory } } });
  await startServer(gamekeeper, 40);
  const archives = path.join(disk.directory, 'demo');

  await t.test('fills up in the middle: the job fails and says why, nothing half made stays', async (t) => {
    const token = { authorization: `Bearer ${await gamekeeper.token()}`, prefer: 'respond-async' };
    const { body } = await gamekeeper.api<Job>('POST', `${AT}/backup`, undefined, token);
    await until(
      'the archive is begun',
      () => readdirSync(disk.directory).length > 0 && readdirSync(archives).length > 0,
    );
    const giveBack = fillDisk(disk.directory);
    const job = await until('it has ended', async () => {
      const { body: now } = await gamekeeper.api<Job>('GET', `/jobs/${body.jobId}`);
      return !/queued|running/.test(now.state) && now;
    });
    t.match(job, { state: 'failed', error: { code: 'insufficient_storage', detail: /full|free/ } });
    t.same(readdirSync(archives), []);
    await checkServer(t, gamekeeper);
    giveBack();
  });

  await t.test('has room for one backup: the second is refused before it is begun, with stats', async (t) => {
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

t.test('a store on a disk that is full: the backup stands, the copy waits and says why', async (t) => {
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
  await until('it is copied', async () => (await backup()).cloudStatus === 'replicated');
  t.same(readdirSync(path.join(disk.directory, 'demo')), [`${body.backupId}.zip`]);
});

t.test(
  'the data directory itself on a disk that is full: the servers go on, and so does what looks after them',
  async (t) => {
    const disk = smallDisk(t, 120);
    if (!disk) return;
    // Where a test's data directory is made.
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
    t.equal((await gamekeeper.api('POST', `${AT}/backup`)).status, 200, 'while there is room');
    const viewer = await gamekeeper.console('demo');

    const giveBack = fillDisk(disk.directory);
    const refused = gamekeeper.api<Problem>('POST', `${AT}/backup`);
    t.match(await refused, { status: 507, body: { code: 'insufficient_storage' } });
    await checkServer(t, gamekeeper);
    const full = { status: 507, body: { code: 'insufficient_storage', detail: /full/, resolution: /./ } };
    t.match(await gamekeeper.api('PATCH', AT, { name: 'Another' }), full);
    t.match(await gamekeeper.api('POST', '/instances', { name: 'Second', software: 'demo' }), full);
    t.match(await gamekeeper.api('POST', '/instances/rested/start'), full, 'one that has never run');
    t.match(await gamekeeper.api('POST', '/instances/plain/start'), full, 'one that could not be put on record');
    t.match((await gamekeeper.api('GET', '/instances/plain')).body, { status: 'stopped' });
    t.same(
      processesOf(gamekeeper.home).filter(({ command }) => command.startsWith('sh -c echo up')),
      [],
      'a later supervisor would not have found it',
    );
    viewer.send('say still here');
    await viewer.waitFor(/still here/);

    // Of the daemon's end nobody is to notice anything, even if it cannot be back yet.
    const games = () => processesOf(gamekeeper.home).filter(({ command }) => /workers\/demo/.test(command));
    const [game] = games();
    await gamekeeper.endDaemon('SIGKILL');
    const starting = gamekeeper.startDaemon();
    await until('it says why it does not start', () => /data directory is full\.\nFree/.test(gamekeeper.output()));
    t.same(games(), [game]);
    giveBack();
    await starting;
    await gamekeeper.waitForStatus('demo', 'running');
    t.same(games(), [game]);

    const giveBackAgain = fillDisk(disk.directory);
    const { body: made } = await gamekeeper.api<Backup[]>('GET', `${AT}/backups`);
    t.equal((await gamekeeper.api('DELETE', `${AT}/backups/${made[0]?.backupId}`)).status, 204, 'which makes room');
    t.equal((await gamekeeper.api('POST', `${AT}/stop`)).status, 200);
    await gamekeeper.waitForStatus('demo', 'stopped');
    giveBackAgain();

    t.equal((await gamekeeper.api('POST', '/instances/plain/start')).status, 200, 'with room again');
    t.equal((await gamekeeper.api('POST', `${AT}/backup`)).status, 200);
    const { body } = await gamekeeper.api<LogsResponse>('GET', `${AT}/logs?lines=1000`);
    t.match(body.lines.join('\n'), /still here/);
  },
);
