import t from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { tryEach } from '../../../../../workers/supervisor/players/lists/try-each.ts';

const stopped = () => new GamekeeperError('invalid_state', 'The server has stopped.');

t.test('adds each name once, and returns the reasons against others', async (t) => {
  const tried: string[] = [];
  const result = await tryEach(['Anna', 'anna', 'Nobody', 'Ben'], {
    add: async (name) => {
      tried.push(name);
      if (name === 'Nobody') throw new GamekeeperError('player_not_found', 'There is no Nobody.');
    },
    withinMs: 60_000,
  });
  t.same(tried, ['anna', 'Nobody', 'Ben']);
  t.same(result, { added: ['anna', 'Ben'], failed: [{ name: 'Nobody', detail: 'There is no Nobody.' }] });
});

t.test('tries no more once the server cannot be asked, and throws if it never could', async (t) => {
  let count = 0;
  const add = () => {
    if (++count === 2) throw stopped();
  };
  t.same(await tryEach(['Anna', 'Ben', 'Carl'], { add, withinMs: 60_000 }), {
    added: ['Anna'],
    failed: ['Ben', 'Carl'].map((name) => ({ name, detail: 'The server has stopped.' })),
  });
  const refuse = () => {
    throw stopped();
  };
  await t.rejects(tryEach(['Anna', 'Ben'], { add: refuse, withinMs: 60_000 }), { code: 'invalid_state' });
  const broken = () => {
    throw new TypeError('a bug');
  };
  await t.rejects(tryEach(['Anna'], { add: broken, withinMs: 60_000 }), TypeError);
});

t.test('stops when the time is over', async (t) => {
  const result = await tryEach(['Anna', 'Ben'], { add: () => undefined, withinMs: -1 });
  t.same(result.added, []);
  t.match(result.failed, [{ name: 'Anna', detail: /Not tried/ }, { name: 'Ben' }]);
});
