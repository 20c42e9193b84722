import t from 'tap';
import { conditionsOf, keyOf, type Watched } from '../../../../../gateway/proxy/fleet/alerts/conditions.ts';
import type { StoredInstance } from '../../../../../gateway/proxy/fleet/telemetry/rows.ts';

const NOW = 2_000_000_000;
const HOUR_S = 3_600;
const GIB = 1024 ** 3;

function keys(change: Partial<Watched> & { instance?: Partial<StoredInstance> }, open: string[] = []): string[] {
  const { instance, ...rest } = change;
  const demo = { id: 'demo', name: 'Demo', software: 'paper', phase: 'running', createdAt: NOW, ...instance } as const;
  const watched = {
    name: 'Attic',
    offlineSince: null,
    isMuted: false,
    detail: { instances: [demo], more: 0 },
    diskFree: 100 * GIB,
    diskTotal: 500 * GIB,
    ...rest,
  };
  return conditionsOf(watched, new Set(open), NOW).map(keyOf);
}

t.test('offline after five minutes, unless very many have vanished', async (t) => {
  t.same(keys({ offlineSince: NOW - 299 }), []);
  t.same(keys({ offlineSince: NOW - 300 }), ['offline ']);
  t.same(keys({ offlineSince: NOW - 300, isMuted: true }), []);
  t.same(keys({ offlineSince: NOW - 300, isMuted: true }, ['offline ']), ['offline '], 'not over because of that');
  t.same(keys({}, ['offline ']), []);
});

t.test('what was wrong before it went offline stays wrong', async (t) => {
  t.same(keys({ offlineSince: NOW }, ['crash demo']), ['crash demo']);
  t.same(keys({ offlineSince: NOW, instance: { phase: 'crashed' } }), [], 'and nothing else is known');
});

t.test('a crash lasts until the phase changes', async (t) => {
  t.same(keys({ instance: { phase: 'crashed' } }), ['crash demo']);
  t.same(keys({ instance: { phase: 'starting' } }, ['crash demo']), []);
});

t.test('a running server without a good backup for 26 hours', async (t) => {
  const old = NOW - 26 * HOUR_S - 1;
  t.same(keys({ instance: { createdAt: old } }), ['backup demo'], 'none at all');
  t.same(keys({ instance: { createdAt: old, backupAt: NOW - HOUR_S } }), []);
  t.same(keys({ instance: { createdAt: 0, backupAt: old } }), ['backup demo']);
  t.same(keys({ instance: { createdAt: 0, backupAt: old, phase: 'stopped' } }), []);
  t.same(keys({ instance: { createdAt: 0, backupAt: old, phase: 'stopped' } }, ['backup demo']), ['backup demo']);
});

t.test('a disk that is nearly full, large or small, and not back and forth', async (t) => {
  t.same(keys({ diskFree: 19 * GIB, diskTotal: 500 * GIB }), ['disk ']);
  t.same(keys({ diskFree: 21 * GIB, diskTotal: 2_000 * GIB }), [], '1 %, but 21 GiB');
  t.same(keys({ diskFree: 2 * GIB, diskTotal: 10 * GIB }), []);
  t.same(keys({ diskFree: GIB - 1, diskTotal: 10 * GIB }), ['disk ']);
  t.same(keys({ diskFree: 22 * GIB }, ['disk ']), ['disk ']);
  t.same(keys({ diskFree: 26 * GIB }, ['disk ']), []);
  t.same(keys({ diskFree: null, diskTotal: null }), []);
});
