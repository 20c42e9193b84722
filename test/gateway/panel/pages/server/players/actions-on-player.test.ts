import t from 'tap';
import { actionsOn, undoOf } from '../../../../../../gateway/panel/src/pages/server/players/actions-on-player.ts';
import type { PlayerState } from '../../../../../../gateway/panel/src/pages/server/players/player-state.ts';

const known = (state: Partial<PlayerState> = {}): PlayerState => ({
  name: 'Anna',
  online: undefined,
  seen: undefined,
  ...state,
});
const listed = { name: 'Anna' };

t.test('offers what changes something', async (t) => {
  t.same(actionsOn(known()), ['op', 'whitelist', 'ban']);
  const all = known({ online: listed, operators: listed, allowlist: listed, bans: listed });
  t.same(actionsOn(all), ['kick', 'deop', 'unwhitelist', 'pardon']);
  t.same(actionsOn(known({ online: { ...listed, op: true } })), ['kick', 'deop', 'whitelist', 'ban']);
});

t.test('undoes changes of the whitelist and the operators', async (t) => {
  for (const isRunning of [true, false]) {
    const undo = (action: 'op' | 'whitelist' | 'unwhitelist' | 'ban' | 'pardon' | 'kick') =>
      undoOf({ ...listed, action }, known(), isRunning)?.action;
    t.equal(undo('whitelist'), 'unwhitelist');
    t.equal(undo('unwhitelist'), 'whitelist');
    t.equal(undo('op'), 'deop');
    for (const action of ['ban', 'pardon', 'kick'] as const) t.equal(undo(action), undefined);
  }
});

t.test('gives an operator back exactly what was taken, or nothing', async (t) => {
  const deop = { ...listed, action: 'deop' } as const;
  const ofLevel = (level: number, rest = {}) => known({ operators: { ...listed, level, ...rest } });
  t.same(undoOf(deop, ofLevel(4), true), { ...listed, action: 'op' });
  t.equal(undoOf(deop, ofLevel(2), true), undefined);
  t.same(undoOf(deop, ofLevel(2), false), { ...listed, action: 'op', level: 2 });
  t.equal(undoOf(deop, ofLevel(2, { bypassesPlayerLimit: true }), false), undefined);
  const op = { ...listed, action: 'op', level: 4 } as const;
  t.same(undoOf(op, ofLevel(2), false), { ...listed, action: 'op', level: 2 }, 'another level');
});
