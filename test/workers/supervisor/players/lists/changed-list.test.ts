import t from 'tap';
import type { PlayerAction } from '../../../../../shared/domain/players/player-action.ts';
import {
  changedList,
  type ListRequest,
  withEnds,
} from '../../../../../workers/supervisor/players/lists/changed-list.ts';

const UUID = '8667ba71-b85a-4004-af54-457a9734eed7';
const ANNA = { uuid: UUID, name: 'Anna' };
const FACTS = {
  profiles: { known: [ANNA], hasAccounts: true, isOnlineMode: true },
  level: 4,
  now: Date.parse('2026-11-20T08:15:00.500Z'),
};

const change = (entries: readonly unknown[], action: PlayerAction, rest: Partial<ListRequest> = {}) =>
  changedList(entries, { name: 'anna', action, ...rest } as ListRequest, FACTS);

t.test('adds a player as vanilla writes it, and leaves everything else as it is', async (t) => {
  const others = [{ name: 'Ben', uuid: 'x', note: 'of a plug-in' }, 7, null, { uuid: 'without a name' }];
  t.strictSame(change(others, 'whitelist'), { entries: [...others, ANNA], answer: 'Added Anna to the whitelist' });
  t.strictSame(change([], 'op'), {
    entries: [{ ...ANNA, level: 4, bypassesPlayerLimit: false }],
    answer: 'Made Anna a server operator',
  });
  const ban = { ...ANNA, created: '2026-11-20 08:15:00 +0000', source: 'Gamekeeper', expires: 'forever' };
  t.strictSame(change([], 'ban'), {
    entries: [{ ...ban, reason: 'Banned by an operator.' }],
    answer: 'Banned Anna',
  });
  t.strictSame(change([], 'ban', { reason: '\u00a74x-ray' }), {
    entries: [{ ...ban, reason: '4x-ray' }],
    answer: 'Banned Anna: 4x-ray',
  });
});

t.test('gives an operator the level that was chosen, and changes only that later', async (t) => {
  t.match(change([], 'op', { level: 2 }).entries, [{ name: 'Anna', level: 2 }]);
  const listed = [
    { ...ANNA, level: 2, bypassesPlayerLimit: true, note: 'x' },
    { name: 'Ben', level: 2 },
  ];
  t.strictSame(change(listed, 'op', { level: 3 }), {
    entries: [{ ...listed[0], level: 3 }, listed[1]],
    answer: 'Made Anna a server operator',
  });
  for (const level of [2, undefined])
    t.throws(() => change(listed, 'op', { level }), { code: 'command_rejected' }, `${level}`);
});

t.test('a ban with a duration has its end', async (t) => {
  const { entries } = change([], 'ban', { durationSeconds: 3_600 });
  t.match(entries, [{ created: '2026-11-20 08:15:00 +0000', expires: '2026-11-20 09:15:00 +0000' }]);
});

t.test('removes every entry of a player, whatever its case and UUID', async (t) => {
  const others = [{ name: 'Ben' }, { name: 'Annabel' }];
  const listed = [{ name: 'ANNA' }, ...others, { name: 'Anna', uuid: 'another' }];
  t.strictSame(change(listed, 'deop'), { entries: others, answer: 'Made ANNA no longer a server operator' });
  t.same(change(listed, 'unwhitelist', { name: 'Ben' }).entries.length, 3);
  t.strictSame(change(listed, 'pardon').entries, others);
});

t.test('finds a player who has another name now', async (t) => {
  const others = [{ name: 'Ben', uuid: 'another' }];
  const listed = [{ uuid: UUID.toUpperCase(), name: 'OldName', level: 4 }, ...others];
  t.strictSame(change(listed, 'deop').entries, others);
  t.throws(() => change(listed, 'op'), { code: 'command_rejected', message: /already/ });
  t.match(change(listed, 'op', { level: 1 }).entries, [{ uuid: UUID.toUpperCase(), level: 1 }, ...others]);
  const twice = [...listed, { ...ANNA, level: 2 }];
  t.same(change(twice, 'op', { level: 1 }).entries.length, 2, 'the other level is gone');
});

t.test('gives an end only to the ban that was made with it', async (t) => {
  const bannedAt = Date.parse('2026-11-20T08:15:00Z');
  const ends = [{ name: 'Anna', bannedAt, endsAt: bannedAt + 3_600_000 }];
  const expires = (created: string) => withEnds([{ ...ANNA, created, expires: 'forever' }], ends);
  for (const own of ['08:13:00', '08:15:00', '08:15:59'])
    t.match(expires(`2026-11-20 ${own} +0000`), [{ expires: '2026-11-20 09:15:00 +0000' }], own);
  for (const other of ['08:10:00', '08:17:00'])
    t.match(expires(`2026-11-20 ${other} +0000`), [{ expires: 'forever' }], other);
});

t.test('refuses what would change nothing', async (t) => {
  for (const action of ['ban', 'op', 'whitelist'] as const)
    t.throws(() => change([ANNA], action), { code: 'command_rejected', message: /already/ }, action);
  for (const action of ['pardon', 'deop', 'unwhitelist'] as const)
    t.throws(() => change([{ name: 'Ben' }], action), { code: 'command_rejected', message: /not|isn't/ }, action);
});

t.test('a ban that has expired does not count', async (t) => {
  const ended = { ...ANNA, expires: '2026-11-20 08:15:00 +0000' };
  t.throws(() => change([ended], 'pardon'), { code: 'command_rejected' });
  const { entries } = change([ended], 'ban');
  t.match(entries, [{ name: 'Anna', expires: 'forever' }]);
  t.equal(entries.length, 1);
  const lasting = { ...ANNA, expires: '2026-11-20 08:15:01 +0000' };
  t.throws(() => change([lasting], 'ban'), { code: 'command_rejected' });
});
