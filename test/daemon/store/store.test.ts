import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { createAuditTable } from '../../../daemon/store/audit.ts';
import { migrate, STEPS } from '../../../daemon/store/migrations.ts';
import { openStore, storeIn } from '../../../daemon/store/store.ts';
import { emptyPoint, withObservation } from '../../../daemon/usage/usage-point.ts';
import type { AuditEntry } from '../../../shared/contract/daemon/audit.ts';
import type { TokenRecord } from '../../../shared/contract/daemon/credentials.ts';
import type { NewUser } from '../../../shared/contract/daemon/users.ts';
import type { Grant } from '../../../shared/domain/access/grant.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

const NOW = '2026-11-20T08:00:00.000Z';
const LATER = '2026-11-21T08:00:00.000Z';
const EARLIER = '2026-11-19T08:00:00.000Z';

/** The version with so many steps had usage points, but no events and no free disk space. */
const STEPS_BEFORE_EVENTS = 12;

const ADMIN: NewUser = {
  ...{ username: 'admin', role: 'admin', passwordHash: 'h', mustChangePassword: true, instances: ['*'] },
};

function databaseFile(t: Test): string {
  return path.join(temporaryFolder(t), 'gamekeeper.db');
}

t.test('saved data is there when the database is opened again, private to its owner', async (t) => {
  const file = databaseFile(t);
  const crash = { at: NOW, exitCode: 1, signal: null, reason: 'it fell', restarts: 0 };
  const config = instanceConfig({ id: 'demo', env: { A: 'é' } });
  const before = openStore(file);
  const { daemonId, tokenKey } = before.meta;
  before.instances.save(config);
  before.instances.save(instanceConfig({ id: 'other' }));
  before.instances.saveCrash('demo', crash);
  before.instances.saveCrashed('demo', true);
  before.instances.save({ ...config, port: 1234 });
  before[Symbol.dispose]();

  t.equal((await stat(file)).mode & 0o777, 0o600);
  using after = openStore(file);
  t.equal(after.meta.daemonId, daemonId);
  t.equal(after.meta.tokenKey, tokenKey);
  t.equal(Buffer.from(tokenKey, 'base64url').length, 32);
  t.same(after.instances.all(), [
    { config: { ...config, port: 1234 }, ran: false, crashed: true, lastCrash: crash },
    { config: instanceConfig({ id: 'other' }), ran: false, crashed: false },
  ]);
  after.instances.remove('demo');
  t.equal(after.instances.all().length, 1);
});

t.test('user names are not case-sensitive', (t) => {
  using store = openStore(databaseFile(t));
  const admin: NewUser = { ...ADMIN, username: 'Admin' };
  store.users.add(admin, NOW);
  const { version, ...found } = store.users.find('aDMIN')!;
  t.same(found, { ...admin, disabled: false, totp: false, recoveryCodes: 0, createdAt: NOW });
  t.match(version, /^[0-9a-f]{32}$/);
  t.equal(store.users.find('nobody'), null);
  t.equal(store.users.count(), 1);
  t.throws(() => store.users.add({ ...admin, username: 'admin' }, NOW));
  t.ok(store.users.update('admin', { passwordHash: 'n', mustChangePassword: false }));
  t.match(store.users.find('admin'), { passwordHash: 'n', mustChangePassword: false, role: 'admin' });
  t.notOk(store.users.update('nobody', { passwordHash: 'n' }));
  t.end();
});

t.test('a grant is deleted with its user or its instance, and needs an existing instance', (t) => {
  using store = openStore(databaseFile(t));
  for (const id of ['one', 'two']) store.instances.save(instanceConfig({ id }));
  const grants: Grant[] = ['*', { id: 'one', role: 'viewer' }, 'two'];
  store.users.add({ ...ADMIN, username: 'ann', role: 'operator', instances: grants }, NOW);
  t.same(store.users.find('ann')?.instances, grants);
  t.throws(() => store.users.update('ann', { role: 'viewer', instances: ['nowhere'] }));
  t.match(store.users.find('ann'), { role: 'operator', instances: grants }, 'a failed update changes nothing');
  store.instances.save(instanceConfig({ id: 'one', port: 5 }));
  t.same(store.users.find('ann')?.instances, grants, 'grants survive a change of the instance');
  store.instances.remove('one');
  store.instances.save(instanceConfig({ id: 'one' }));
  t.same(store.users.find('ann')?.instances, ['*', 'two'], 'grants do not pass to a new instance with the same id');
  t.ok(store.users.remove('ANN'));
  store.users.add({ ...ADMIN, username: 'ann', instances: [] }, NOW);
  t.same(store.users.find('ann')?.instances, [], 'grants do not pass to a new user with the same name');
  t.end();
});

t.test('a session ends by time, not after its absolute end, and when it is ended', (t) => {
  using store = openStore(databaseFile(t));
  store.users.add(ADMIN, NOW);
  const session = {
    tokenHash: 'a',
    username: 'admin',
    expiresAt: LATER,
    absoluteExpiresAt: '2026-11-22T00:00:00.000Z',
  };
  store.sessions.add(session);
  t.same(store.sessions.find('a', NOW), session);
  t.equal(store.sessions.find('a', LATER), null);
  store.sessions.extend({ tokenHash: 'a', expiresAt: '2027-01-01T00:00:00.000Z' });
  t.equal(store.sessions.find('a', NOW)?.expiresAt, session.absoluteExpiresAt);
  store.sessions.add({ ...session, tokenHash: 'old', expiresAt: EARLIER });
  store.sessions.removeExpired(NOW);
  t.ok(store.sessions.find('a', NOW));
  store.users.update('admin', { disabled: true });
  t.equal(store.sessions.find('a', NOW), null, 'a disabled user has no session');
  store.users.update('admin', { disabled: false });
  store.sessions.end('a');
  t.equal(store.sessions.find('a', NOW), null);
  t.end();
});

t.test('a revoked token is not listed, and its id is kept until it would have expired', (t) => {
  using store = openStore(databaseFile(t));
  const token: TokenRecord = {
    id: 'one',
    name: 'bot',
    scopes: ['servers:read'],
    unrestricted: false,
    createdBy: 'admin',
    createdAt: EARLIER,
    expiresAt: LATER,
  };
  store.tokens.add(token);
  store.tokens.add({ ...token, id: 'past', expiresAt: EARLIER });
  t.same(store.tokens.all(NOW), [token]);
  t.equal(store.tokens.find('past', NOW), null);
  t.ok(store.tokens.revoke('one', NOW));
  t.notOk(store.tokens.revoke('one', NOW), 'a second revocation returns false');
  t.equal(store.tokens.find('one', NOW), null);
  t.same(store.tokens.revoked(NOW), ['one']);
  t.same(store.tokens.revoked(LATER), []);
  for (const id of ['two', 'three']) store.tokens.add({ ...token, id });
  store.tokens.add({ ...token, id: 'of another', createdBy: 'ann' });
  t.same(store.tokens.revokeAllOf('ADMIN').sort(), ['past', 'three', 'two']);
  t.same(store.tokens.all(NOW), [{ ...token, id: 'of another', createdBy: 'ann' }]);
  t.end();
});

t.test("a newer version's database is refused, and so is a file that is no database", async (t) => {
  const file = databaseFile(t);
  openStore(file)[Symbol.dispose]();
  using database = new DatabaseSync(file);
  database.exec('UPDATE daemon_schema SET steps = 99');
  t.throws(() => openStore(file), { message: /gamekeeper\.db cannot be used: .*newer version/ });
});

t.test('a database from before servers had events is migrated, and keeps its points', (t) => {
  const file = databaseFile(t);
  const point = withObservation(emptyPoint(Date.parse(NOW), 10), { phase: 'running', memoryUsedMb: 512 });
  const before = new DatabaseSync(file);
  migrate(before, STEPS.slice(0, STEPS_BEFORE_EVENTS));
  before
    .prepare(
      `INSERT INTO usage_points (instance, step, at, cpu_sum, cpu_count, memory_sum, memory_count)
       VALUES ('demo', 10, ?, 0, 0, 512, 1)`,
    )
    .run(point.at);
  before.close();

  using store = openStore(file);
  t.same(store.usage.since({ instanceId: 'demo', stepSeconds: 10, since: 0 }), [point]);
  const event = { instanceId: 'demo', at: Date.parse(NOW), kind: 'start' } as const;
  store.usage.addEvent(event);
  t.same(store.usage.events({ instanceId: 'demo', from: 0, to: event.at, limit: 2 }), [event]);
  t.end();
});

t.test('the audit trail removes the oldest entries of each kind, and all that are too old', (t) => {
  using database = new DatabaseSync(':memory:');
  storeIn(database);
  const audit = createAuditTable(database, { change: 3, command: 2, file: 1, refusal: 1 });
  const entry = (path: string, parts: Partial<AuditEntry> = {}): AuditEntry => ({
    ...{ at: NOW, who: 'ann', from: '192.0.2.1', method: 'POST', path, status: 200, requestId: 'r' },
    ...parts,
  });
  const paths = () => audit.read({ limit: 100 }).map(({ path }) => path);
  audit.add([entry('/old', { at: '2025-01-01T00:00:00.000Z' }), entry('/one'), entry('/two'), entry('/three')]);
  for (let n = 0; n < 5; n++)
    audit.add([
      entry(`/refused/${n}`, { status: 403 }),
      entry(`/typed/${n}`, { method: 'WS' }),
      entry(`write /${n}`, { method: 'SFTP', instance: 'demo' }),
      entry('/instances/demo/files/content', { method: 'PUT' }),
    ]);
  audit.prune(NOW);
  t.same(
    paths(),
    ['/instances/demo/files/content', '/typed/4', '/refused/4', '/typed/3', '/three', '/two', '/one'],
    'a flood pushes out only entries of its own kind',
  );
  audit.prune('2029-01-01T00:00:00.000Z');
  t.same(paths(), []);

  audit.add(Array.from({ length: 40_000 }, (_, n) => entry(`/${n}`)));
  t.same(
    paths(),
    ['/39999', '/39998', '/39997'],
    'more entries than a statement may have parameters, pruned automatically',
  );
  t.throws(() => audit.add([entry('/half'), { ...entry('/bad'), path: undefined as unknown as string }]));
  t.equal(paths()[0], '/39999', 'a failed batch adds nothing');
  t.end();
});
