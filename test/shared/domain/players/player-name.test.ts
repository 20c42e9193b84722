import t from 'tap';
import { isPlayerName } from '../../../../shared/domain/players/player-name.ts';

t.test('names of both editions are distinguished', async (t) => {
  for (const name of ['Steve', 'a', '_x_1', '.Bedrock_1', '*Steve', '0123456789abcdef'])
    t.ok(isPlayerName(name, 'java'), name);
  t.notOk(isPlayerName('Two Words', 'java'));
  t.ok(isPlayerName('Two Words', 'bedrock'));
});

t.test('nothing that could change a command is a name', async (t) => {
  const hostile = [
    '',
    '@a',
    'Steve\nstop',
    'Steve\r',
    'a;b',
    'a"b',
    '../x',
    'ab\u0000',
    ' Steve',
    'Steve ',
    'Stève',
    '0123456789abcdefg',
    '--op',
  ];
  for (const name of hostile) {
    t.notOk(isPlayerName(name, 'java'), JSON.stringify(name));
    t.notOk(isPlayerName(name, 'bedrock'), JSON.stringify(name));
  }
});
