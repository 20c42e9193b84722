import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { homeAt } from '../../../../../shared/node/files/home.ts';
import { createLogger } from '../../../../../shared/node/logger.ts';
import { settings as settingsSchema } from '../../../../../shared/schema/settings.ts';
import { createArchiveFiles } from '../../../../../workers/jobs/backups/catalogue/archive-files.ts';
import { createCatalogue } from '../../../../../workers/jobs/backups/catalogue/catalogue.ts';
import { createReplicas } from '../../../../../workers/jobs/backups/replication/replicas.ts';
import { Replication } from '../../../../../workers/jobs/backups/replication/replication.ts';
import type { Store } from '../../../../../workers/jobs/backups/stores/store.ts';
import { JobQueue } from '../../../../../workers/jobs/queue/queue.ts';
import { openDatabase } from '../../../../../workers/jobs/resources/database.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';
import { until } from '../../../../support/machine/until.ts';

const BEGIN = Date.parse('2026-11-20T08:00:00Z');
const NAS = { name: 'nas', kind: 'folder', directory: '/nowhere' } as const;

/** Replication with a clock and a store that the test controls. */
function engine(t: Test) {
  const home = homeAt(temporaryFolder(t));
  mkdirSync(path.join(home.backups, 'survival'), { recursive: true });
  const database = openDatabase(home.database);
  const replicas = createReplicas(database);
  const catalogue = createCatalogue(database, replicas);
  const clock = { now: BEGIN };
  const heard: string[] = [];
  const remote = { put: async () => undefined as unknown, remove: async () => undefined as unknown };
  const store: Store = {
    name: 'nas',
    async put({ key }) {
      heard.push(`put ${key}`);
      await remote.put();
    },
    async remove(key) {
      heard.push(`remove ${key}`);
      await remote.remove();
    },
    stat: async () => null,
    get: () => Promise.reject(new Error('nobody asks for it')),
    part: () => Promise.reject(new Error('nobody asks for it')),
    verify: async () => true,
    test: async () => undefined,
    close: async () => void heard.push('close'),
  };
  const settings = { stores: [NAS] as object[] };
  let lastId = 0;
  const queue = new JobQueue({
    limit: 1,
    now: () => new Date(clock.now),
    ticks: () => clock.now,
    newId: () => `job-${++lastId}`,
    onFailed: () => undefined,
  });
  const replication = new Replication({
    storage: {
      settings: async () => settingsSchema.parse({ backups: settings }).backups,
      catalogue,
      replicas,
      files: createArchiveFiles(home),
      encrypted: { prepare: () => Promise.reject(new Error('not asked for')), release: async () => undefined },
      createStore: async () => store,
    },
    queue,
    now: () => new Date(clock.now),
    jitter: () => 0,
    mark: { set: async () => undefined },
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  t.teardown(async () => {
    await replication.close();
    await queue.close();
    database.close();
  });

  const key = { instanceId: 'survival', backupId: '20261120T080000Z-000000' };
  const file = path.join(home.backups, 'survival', `${key.backupId}.zip`);
  writeFileSync(file, 'archive');
  catalogue.add(
    {
      ...key,
      createdAt: new Date(BEGIN).toISOString(),
      sizeBytes: 7,
      sha256: 'a'.repeat(64),
      reason: 'manual',
      software: 'demo',
      version: '1',
      durationMs: 1,
      fileCount: 1,
      sourceBytes: 7,
      quiesced: true,
      pinned: false,
      changedFiles: [],
      skippedCount: 0,
      omitted: [],
      omittedCount: 0,
      file,
      cloudReplicate: true,
    },
    ['nas'],
  );
  const row = () => replicas.of(key)[0];
  const attempts = (count: number) =>
    until(`attempt ${count} has failed`, () => row()?.attempts === count && row()!.nextAttemptAt! > clock.now);
  return { catalogue, replicas, queue, replication, clock, heard, remote, settings, key, row, attempts };
}

const away = () => Promise.reject(new GamekeeperError('store_unavailable', 'The store "nas" is not there.'));

t.test('pauses double from half a minute up to an hour', async (t) => {
  const { catalogue, replication, clock, remote, key, row, attempts } = engine(t);
  remote.put = away;
  catalogue.publish(key);
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    replication.wake();
    await attempts(attempt);
    pauses.push((row()!.nextAttemptAt! - clock.now) / 1000);
    clock.now = row()!.nextAttemptAt!;
  }
  t.same(pauses, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
});

t.test('setting the clock back delays no copy', async (t) => {
  const { catalogue, replication, clock, remote, key, row, attempts } = engine(t);
  remote.put = away;
  catalogue.publish(key);
  replication.wake();
  await attempts(1);
  clock.now -= 24 * 3_600_000;
  replication.wake();
  await attempts(2);
  t.equal(row()!.nextAttemptAt! - clock.now, 60_000);
});

t.test('nothing is tried before its time', async (t) => {
  const { catalogue, replication, clock, heard, remote, key, row, attempts } = engine(t);
  remote.put = away;
  catalogue.publish(key);
  replication.wake();
  await attempts(1);
  clock.now = row()!.nextAttemptAt! - 1;
  const before = heard.length;
  replication.wake();
  await new Promise(setImmediate);
  t.equal(heard.length, before);
  clock.now++;
  replication.wake();
  await attempts(2);
});

t.test('a backup that is not on disk yet is not copied', async (t) => {
  const { catalogue, replication, heard, key, row } = engine(t);
  replication.wake();
  await new Promise(setImmediate);
  t.same(heard, []);
  catalogue.publish(key);
  replication.wake();
  await until('the copy is made', () => row()?.state === 'replicated');
  t.same(heard, [`put survival/${key.backupId}.zip`, 'close'], 'the store was closed');
});

t.test('an uncoded error of a store is not shown and does not stop other copies', async (t) => {
  const { catalogue, replication, clock, remote, key, row, attempts } = engine(t);
  remote.put = () => Promise.reject(new Error('password=hunter2'));
  catalogue.publish(key);
  replication.wake();
  await attempts(1);
  t.equal(row()!.error, 'An internal error occurred.');
  remote.put = async () => undefined;
  clock.now = row()!.nextAttemptAt!;
  replication.wake();
  await until('the copy is made', () => row()?.state === 'replicated');
});

t.test('the end of the process does not count as a failure', async (t) => {
  const { catalogue, replication, queue, remote, key, row } = engine(t);
  const gate = Promise.withResolvers<void>();
  remote.put = () => gate.promise;
  catalogue.publish(key);
  replication.wake();
  await until('it is running', () => row()?.object !== null);
  const ended = Promise.all([replication.close(), queue.close()]);
  gate.reject(new GamekeeperError('shutting_down', 'Gamekeeper is shutting down.'));
  await ended;
  t.match(row(), { state: 'pending', attempts: 1, nextAttemptAt: 0, error: null });
});

t.test('the copy of a deleted backup is removed after any number of failures, and then forgotten', async (t) => {
  const { catalogue, replicas, replication, clock, heard, remote, key, row } = engine(t);
  catalogue.publish(key);
  replication.wake();
  await until('the copy is made', () => row()?.state === 'replicated');
  remote.remove = away;
  catalogue.retract(key);
  catalogue.remove(key);
  replication.wake();
  await until('one attempt has failed', () => replicas.unsettled()[0]?.attempts === 1);
  t.match(replicas.unsettled(), [{ state: 'removing', nextAttemptAt: clock.now + 30_000, error: /not there/ }]);
  remote.remove = async () => undefined;
  clock.now += 30_000;
  replication.wake();
  await until('nothing remains to be done', () => replicas.unsettled().length === 0);
  t.equal(heard.filter((line) => line.startsWith('remove')).length, 2);
});

t.test('deleting a backup before its upload leaves nothing to remove', async (t) => {
  const { catalogue, replicas, key } = engine(t);
  catalogue.publish(key);
  catalogue.retract(key);
  catalogue.remove(key);
  t.same(replicas.unsettled(), []);
});

t.test('a copy from before encryption was turned on or off is removed before the new one is made', async (t) => {
  const { catalogue, replicas, replication, heard, key, row } = engine(t);
  catalogue.publish(key);
  const object = { key: `survival/${key.backupId}.zip.age`, sizeBytes: 9, sha256: 'b'.repeat(64) };
  replicas.update({ ...key, store: 'nas' }, { object, attempts: 1 });
  replication.wake();
  await until('the copy is made', () => row()?.state === 'replicated');
  t.same(heard, [`remove ${object.key}`, `put survival/${key.backupId}.zip`, 'close']);
});
