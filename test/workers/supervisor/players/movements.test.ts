import t from 'tap';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';
import { movementsOf } from '../../../../workers/supervisor/players/movements.ts';
import { Presence } from '../../../../workers/supervisor/players/presence.ts';

const LUANTI = {
  edition: 'java',
  players: {
    joined: String.raw`^[-\d]+ [:\d]+: ACTION\[Server\]: (?<name>\S+) \[[^\]]*\] joins game\.`,
    left: String.raw`^[-\d]+ [:\d]+: ACTION\[Server\]: (?<name>\S+) (?:leaves game|times out)\.`,
  },
} as const;

t.test('reads who comes and goes in the words of a kind', async (t) => {
  const { read } = movementsOf(LUANTI);
  const at = '2026-11-25 09:35:34: ACTION[Server]:';
  const reading = (line: string) => read(parseLogLine(line));
  t.same(reading(`${at} anna [192.0.2.7] joins game. List of players: anna`), { name: 'anna', hasLeft: false });
  t.same(reading(`${at} anna leaves game. List of players:`), { name: 'anna', hasLeft: true });
  t.same(reading(`${at} anna times out. List of players:`), { name: 'anna', hasLeft: true });
  t.equal(reading(`${at} CHAT: <ben> carol [x] joins game.`), undefined);
  t.equal(reading('[12:00:00] [Server thread/INFO]: Anna joined the game'), undefined);
});

t.test('matches with and without the log prefix', async (t) => {
  const players = { joined: '^(?<name>\\w+) is here$', left: '^\\[12:00:00\\] (?<name>\\w+) is gone$' };
  const presence = new Presence({ edition: 'java', players }, () => 0);
  presence.take(parseLogLine('[12:00:00] Anna is here'));
  presence.take(parseLogLine('Ben is here'));
  t.same(presence.names, ['Anna', 'Ben']);
  presence.take(parseLogLine('[12:00:00] Anna is gone'));
  t.same(presence.names, ['Ben']);
});
