import t from 'tap';
import { asPlayer, asPlayers } from '../../../../workers/supervisor/management/player-dto.ts';

t.test('a player is found by itself and in an entry of a list', async (t) => {
  const anna = { name: 'Anna', id: '069a79f4-44e9-4726-a5be-fca90e38aaf5' };
  const expected = { name: anna.name, uuid: anna.id };
  t.same(asPlayer(anna), expected);
  t.same(asPlayer({ player: anna, reason: 'griefing' }), expected);
  t.same(asPlayers([{ player: anna }, { name: 'Ben' }, 7, null]), [expected, { name: 'Ben', uuid: undefined }]);
  t.throws(() => asPlayers({}), { message: 'The management server did not return a list' });
});

t.test('players nested in players without end are no player', async (t) => {
  const nested: unknown = JSON.parse(`${'{"player":'.repeat(300_000)}{}${'}'.repeat(300_000)}`);
  t.equal(asPlayer(nested), undefined);
});
