import t from 'tap';
import type { TokenRecord } from '../../../../shared/contract/daemon/credentials.ts';
import type { UserRecord } from '../../../../shared/contract/daemon/users.ts';
import type { ScheduleActionType } from '../../../../shared/domain/schedule.ts';
import type { Pairing } from '../../../../shared/schema/pairing.ts';
import type { ScheduleAction } from '../../../../shared/schema/schedule.ts';
import { askingOnce, whyPaused } from '../../../../workers/jobs/schedules/owner-rights.ts';
import type { StoredSchedule } from '../../../../workers/jobs/schedules/schedule-table.ts';

const OLGA: UserRecord = {
  version: 'v1',
  username: 'olga',
  role: 'operator',
  instances: ['demo'],
  passwordHash: '',
  mustChangePassword: false,
  disabled: false,
  totp: false,
  recoveryCodes: 0,
  createdAt: '2026-11-01T00:00:00.000Z',
};
const OWNER: StoredSchedule['owner'] = {
  username: 'olga',
  kind: 'user',
  scopes: ['servers:write'],
  account: '2026-11-01T00:00:00.000Z',
};
const ACTIONS: Record<ScheduleActionType, ScheduleAction> = {
  start: { type: 'start' },
  stop: { type: 'stop', announce: { secondsBefore: [] } },
  restart: { type: 'restart', announce: { secondsBefore: [] } },
  backup: { type: 'backup', cloudReplicate: true },
  command: { type: 'command', command: 'list' },
  drill: { type: 'drill' },
};

/** Returns why a schedule of Olga on `demo` is paused. */
async function why(
  user: UserRecord | null,
  rest: { owner?: Partial<StoredSchedule['owner']>; pairing?: Pairing } = {},
) {
  const definition = { action: ACTIONS.command } as StoredSchedule['definition'];
  const pause = await whyPaused(
    { owner: { ...OWNER, ...rest.owner }, instanceId: 'demo', definition, savedAt: '2026-11-10T00:00:00.000Z' },
    {
      user: async () => user,
      token: async (id) => (id === 'valid' ? ({ id } as TokenRecord) : null),
      pairing: async () => rest.pairing ?? null,
      isGoodGrant: async (id) => id === 'good',
    },
  );
  return pause?.text;
}

t.test('a schedule of a user with the rights runs', async (t) => {
  t.equal(await why(OLGA), undefined);
  t.equal(await why({ ...OLGA, role: 'admin', instances: [] }), undefined);
  t.equal(await why({ ...OLGA, role: 'viewer', instances: ['*', { id: 'demo', role: 'operator' }] }), undefined);
});

t.test(
  'a schedule is paused if its user lost the right, the instance or the account, or is disabled (CVE-2026-86177)',
  async (t) => {
    t.match(await why({ ...OLGA, role: 'viewer' }), /is no longer allowed to do this/);
    t.match(await why({ ...OLGA, instances: ['other'] }), /is no longer allowed to do this/);
    t.match(
      await why({ ...OLGA, instances: ['*', { id: 'demo', role: 'viewer' }] }),
      /is no longer allowed to do this/,
    );
    t.match(await why({ ...OLGA, disabled: true }), /is disabled/);
    t.match(await why(null), /has been removed/);
    t.match(
      await why({ ...OLGA, createdAt: '2026-11-19T00:00:00.000Z' }),
      /has been removed/,
      'another user with the same name',
    );
  },
);

t.test('a schedule is paused once the token that saved it is revoked or has expired', async (t) => {
  const valid = { id: 'valid', name: 'bot' };
  const gone = { id: 'gone', name: 'bot' };
  t.equal(await why(OLGA, { owner: { token: valid } }), undefined);
  t.match(await why(OLGA, { owner: { token: gone } }), /saved with the token "bot", which was revoked or has expired/);
  t.match(
    await why({ ...OLGA, role: 'viewer' }, { owner: { token: valid } }),
    /is no longer allowed/,
    'its user counts',
  );
  t.equal(await why(null, { owner: { kind: 'local', token: valid } }), undefined);
  t.match(await why(null, { owner: { kind: 'local', token: gone } }), /revoked or has expired/);
});

t.test('schedules of the command line always run, and those of a proxy’s user while the proxy is paired', async (t) => {
  t.equal(await why(null, { owner: { kind: 'local' } }), undefined);
  const owner = { kind: 'proxy', issuer: 'https://proxy.example' } as const;
  const pairing = {
    issuer: 'https://proxy.example',
    ceiling: ['servers:write'],
    pairedAt: '2026-11-09T00:00:00.000Z',
  } as Pairing;
  t.equal(await why(null, { owner, pairing }), undefined);
  t.match(await why(null, { owner }), /no longer paired/);
  t.match(await why(null, { owner, pairing: { ...pairing, issuer: 'https://other.example' } }), /no longer paired/);
  t.match(await why(null, { owner, pairing: { ...pairing, ceiling: ['logs:read'] } }), /no longer allowed to do this/);
  t.match(
    await why(null, { owner, pairing: { ...pairing, pairedAt: '2026-11-11T00:00:00.000Z' } }),
    /whose access at the hosted proxy has ended/,
    'the same proxy, linked again, perhaps by another account',
  );
});

t.test('a schedule is paused once the grant of the program that saved it has ended', async (t) => {
  const pairing = {
    issuer: 'https://proxy.example',
    ceiling: ['servers:write'],
    pairedAt: '2026-11-09T00:00:00.000Z',
  } as Pairing;
  const owner = (id: string) => ({ kind: 'proxy', issuer: pairing.issuer, grant: { id, client: 'bot' } }) as const;
  t.equal(await why(null, { owner: owner('good'), pairing }), undefined);
  t.match(await why(null, { owner: owner('revoked'), pairing }), /whose access at the hosted proxy has ended/);
});

t.test('for many schedules, each owner is asked about once', async (t) => {
  const asked: string[] = [];
  const note = async (question: string) => {
    asked.push(question);
    return null;
  };
  const source = askingOnce({
    user: (username) => note(`user ${username}`),
    token: (id) => note(`token ${id}`),
    pairing: () => note('pairing'),
    isGoodGrant: async (id) => (await note(`grant ${id}`)) !== null,
  });
  for (const _round of [1, 2]) {
    t.same(await Promise.all([source.user('olga'), source.user('ben'), source.token('olga')]), [null, null, null]);
    t.same(await Promise.all([source.pairing(), source.isGoodGrant('a')]), [null, false]);
  }
  t.same(asked, ['user olga', 'user ben', 'token olga', 'pairing', 'grant a']);
});
