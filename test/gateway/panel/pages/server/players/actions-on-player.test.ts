import t from 'tap';
import type { PlayerRequest } from '../../../../../../gateway/panel/src/api/players.ts';
import {
  actionsOn,
  hasEditableLists,
  levelGivenWith,
  undoOf,
} from '../../../../../../gateway/panel/src/pages/server/players/actions-on-player.ts';
import type { PlayerState } from '../../../../../../gateway/panel/src/pages/server/players/player-state.ts';

const known = (state: Partial<PlayerState> = {}): PlayerState => ({
  name: 'Anna',
  online: undefined,
  seen: undefined,
  skin: undefined,
  ...state,
});
const listed = { name: 'Anna' };
const NOW = Date.parse('2026-11-28T12:00:00Z');

t.test('offers what changes something', async (t) => {
  t.same(actionsOn(known()), ['op', 'whitelist', 'ban']);
  const all = known({ online: listed, operators: listed, allowlist: listed, bans: listed });
  t.same(actionsOn(all), ['kick', 'deop', 'unwhitelist', 'pardon']);
  t.same(actionsOn(known({ online: { ...listed, op: true } })), ['kick', 'deop', 'whitelist', 'ban']);
});

t.test('undoes changes of the lists', async (t) => {
  for (const levelGiven of ['any', 'unknown', 2] as const) {
    const undo = (action: 'op' | 'whitelist' | 'unwhitelist' | 'ban' | 'pardon' | 'kick') =>
      undoOf({ ...listed, action }, known(), { levelGiven, now: NOW })?.action;
    t.equal(undo('whitelist'), 'unwhitelist');
    t.equal(undo('unwhitelist'), 'whitelist');
    t.equal(undo('op'), 'deop');
    t.equal(undo('ban'), 'pardon');
    for (const action of ['pardon', 'kick'] as const) t.equal(undo(action), undefined);
  }
});

t.test('bans again with the same reason and end, or not at all', async (t) => {
  const undo = (action: 'ban' | 'pardon', ban: object) =>
    undoOf({ ...listed, action }, known({ bans: { ...listed, ...ban } }), { levelGiven: 'any', now: NOW });
  const again = { ...listed, action: 'ban' } as const;
  t.same(undo('pardon', {}), again);
  t.same(undo('pardon', { reason: 'x-ray', expiresAt: '2026-11-29T12:00:00Z' }), {
    ...again,
    reason: 'x-ray',
    durationSeconds: 86_400,
  });
  t.equal(undo('pardon', { expiresAt: '2026-11-28T12:00:59Z' }), undefined, 'too short for a request');
  t.equal(undo('pardon', { expiresAt: '2099-01-01T00:00:00Z' }), undefined, 'too long for a request');
  for (const reason of ['\u00a74red', 'two\nlines', 'x'.repeat(201)])
    t.equal(undo('pardon', { reason }), undefined, 'a reason that would change');
  t.equal(undo('ban', {}), undefined, 'who was banned before stays so');
});

t.test('gives an operator back exactly what was taken, or nothing', async (t) => {
  const deop = { ...listed, action: 'deop' } as const;
  const ofLevel = (level: number, rest = {}) => known({ operators: { ...listed, level, ...rest } });
  const undo = (request: PlayerRequest, before: PlayerState, levelGiven: number | 'any' | 'unknown') =>
    undoOf(request, before, { levelGiven, now: NOW });
  for (const level of [4, 2]) t.same(undo(deop, ofLevel(level), level), { ...listed, action: 'op' });
  t.equal(undo(deop, ofLevel(2), 4), undefined);
  t.equal(undo(deop, ofLevel(4), 2), undefined, 'the server has another default');
  t.equal(undo(deop, ofLevel(4), 'unknown'), undefined);
  t.same(undo(deop, ofLevel(2), 'any'), { ...listed, action: 'op', level: 2 });
  t.equal(undo(deop, ofLevel(2, { bypassesPlayerLimit: true }), 'any'), undefined);
  const op = { ...listed, action: 'op', level: 4 } as const;
  t.same(undo(op, ofLevel(2), 'any'), { ...listed, action: 'op', level: 2 }, 'another level');
});

t.test('knows the level that a server gives, and which lists can be changed while it is stopped', async (t) => {
  t.equal(levelGivenWith({ 'op-permission-level': '2' }), 2);
  for (const properties of [{}, { 'op-permission-level': 'x' }] as Record<string, string>[])
    t.equal(levelGivenWith(properties), 4);
  for (const version of ['b1.7.3', '1.6.4', '1.7', '1.7.2', '1.7.5', '1.0'])
    t.notOk(hasEditableLists(version), version);
  for (const version of ['1.7.6', '1.7.10', '1.8', '1.16.5', '1.21.4-rc1', '26.1', '24w14a', 'latest'])
    t.ok(hasEditableLists(version), version);
});
