import t from 'tap';
import { type AuditEntry, createAuditTrail } from '../../../gateway/upstream/audit.ts';
import type { Daemon } from '../../../gateway/upstream/clients.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

function entry(n: number): AuditEntry {
  return {
    at: '2026-11-20T08:00:00.000Z',
    ...{ who: 'ann', from: '192.0.2.1', method: 'POST', path: `/${n}`, status: 200, requestId: String(n) },
  };
}

/** A daemon that stores entries unless it is away. */
function daemonOf() {
  const daemon = { poison: '', away: false, batches: [] as number[], kept: [] as string[] };
  const call = {
    async auditBatch(entries: AuditEntry[]) {
      await new Promise(setImmediate);
      if (entries.some(({ path }) => path === daemon.poison)) throw new Error('it cannot be written');
      if (daemon.away) throw new GamekeeperError('daemon_unavailable', 'it is away');
      daemon.batches.push(entries.length);
      daemon.kept.push(...entries.map(({ path }) => path));
    },
  };
  return { daemon, client: { call } as unknown as Daemon };
}

t.test('entries during a call form the next batch, and each write resolves when it is stored', async (t) => {
  const { daemon, client } = daemonOf();
  const trail = createAuditTrail(client, (error) => t.fail(String(error)));
  t.teardown(() => trail.close());
  const writes = Array.from({ length: 1_200 }, (_, n) =>
    trail.write(entry(n)).then(() => daemon.kept.includes(`/${n}`)),
  );
  t.ok((await Promise.all(writes)).every((kept) => kept));
  t.same(
    daemon.kept,
    Array.from({ length: 1_200 }, (_, n) => `/${n}`),
    'all entries, in order',
  );
  t.ok(daemon.batches.length <= 4 && Math.max(...daemon.batches) <= 500, daemon.batches.join(' '));
  await trail.settled();
});

t.test('entries wait while the daemon is away, up to a limit', async (t) => {
  const { daemon, client } = daemonOf();
  const errors: unknown[] = [];
  const trail = createAuditTrail(client, (error) => errors.push(error));
  t.teardown(() => trail.close());
  daemon.away = true;
  const first = trail.write(entry(0));
  while (errors.length === 0) await new Promise(setImmediate);
  const waiting = Array.from({ length: 19_999 }, (_, n) => trail.write(entry(n + 1)));
  await trail.write(entry(20_000));
  t.match(String(errors.at(-1)), /lost 1 entries/, 'the dropped entry is reported');
  daemon.away = false;
  await Promise.all([first, ...waiting]);
  t.equal(daemon.kept.length, 20_000);
  t.equal(daemon.kept[0], '/0');
});

t.test('an entry that cannot be written does not block the others', async (t) => {
  const { daemon, client } = daemonOf();
  const errors: unknown[] = [];
  const trail = createAuditTrail(client, (error) => errors.push(error));
  t.teardown(() => trail.close());
  daemon.poison = '/3';
  const writes = Array.from({ length: 8 }, (_, n) => trail.write(entry(n)));
  await Promise.all(writes.filter((_, n) => n !== 3));
  t.same([...daemon.kept].sort(), ['/0', '/1', '/2', '/4', '/5', '/6', '/7']);
  t.ok(errors.length < 10, `${errors.length} attempts failed`);
  daemon.poison = '';
  await writes[3];
  t.equal(daemon.kept.length, 8, 'each entry once');
});

t.test('a path that a caller has made very long is cut', async (t) => {
  const { daemon, client } = daemonOf();
  const trail = createAuditTrail(client, (error) => t.fail(String(error)));
  t.teardown(() => trail.close());
  await trail.write({ ...entry(0), path: `/${'a'.repeat(250_000)}` });
  t.equal(daemon.kept[0]?.length, 4_096);
});
