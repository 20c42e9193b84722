import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { parseLogLine } from '../../../../workers/supervisor/log-prefix.ts';
import { namesInListAnswer } from '../../../../workers/supervisor/players/list-answer.ts';
import { checkPlayerAnswer, playerCommand } from '../../../../workers/supervisor/players/player-actions.ts';
import { Presence } from '../../../../workers/supervisor/players/presence.ts';

const demo = softwareOf('demo')!;

t.test('answers to "list" of many ages and plug-ins are understood', async (t) => {
  const answers: [string, string[]][] = [
    ['There are 2 of a max of 20 players online: Anna, Ben', ['Anna', 'Ben']],
    ['There are 0 of a max of 20 players online: ', []],
    ['There are 2/20 players online:Anna, Ben', ['Anna', 'Ben']],
    ['There are 2 of a max 20 players online:\nAnna, Ben', ['Anna', 'Ben']],
    [
      '§6There are §c2§6 out of maximum §c20§6 players online.\n§6default§r: Anna\n§6admin§r: [AFK]Ben',
      ['Anna', 'Ben'],
    ],
    ['There are 1 of a max of 20 players online: .Bedrock_Kid', ['.Bedrock_Kid']],
  ];
  for (const [answer, names] of answers) t.strictSame(namesInListAnswer(answer, 'java'), names, answer);
  t.equal(namesInListAnswer('Unknown command', 'java'), undefined);
});

t.test('a name can never be more than a name', async (t) => {
  for (const name of ['@a', 'Anna Ben', 'Anna\nstop', 'Anna;stop', '"Anna"', '', 'ThisNameIsFarTooLong', '../x'])
    t.throws(() => playerCommand({ name, action: 'kick' }, demo), { code: 'invalid_request' }, name);
  t.equal(playerCommand({ name: 'Anna', action: 'kick' }, demo), 'kick Anna');
  t.equal(playerCommand({ name: 'Anna', action: 'ban', reason: 'x-ray' }, demo), 'ban Anna x-ray');
  t.equal(playerCommand({ name: 'Anna', action: 'whitelist' }, demo), 'whitelist add Anna');
});

t.test('a reason cannot smuggle in a second command', async (t) => {
  t.throws(() => playerCommand({ name: 'Anna', action: 'kick', reason: 'a\nstop' }, demo), { code: 'invalid_request' });
  t.throws(() => playerCommand({ name: 'Anna', action: 'kick', reason: 'x'.repeat(2_000) }, demo), {
    code: 'invalid_request',
  });
  t.equal(playerCommand({ name: 'Anna', action: 'kick', reason: '{name} $& $1' }, demo), 'kick Anna {name} $& $1');
});

t.test("the server's answer tells whether it worked", async (t) => {
  checkPlayerAnswer('Kicked Anna: Kicked by an operator', 'Anna', demo);
  t.throws(() => checkPlayerAnswer('No player was found', 'Anna', demo), { code: 'player_not_found', message: /Anna/ });
  t.throws(() => checkPlayerAnswer('Nothing changed. The player already is an operator', 'Anna', demo), {
    code: 'command_rejected',
    message: 'Nothing changed. The player already is an operator',
  });
});

t.test('the console tells who is there and since when', async (t) => {
  let now = 1_000;
  const presence = new Presence('java', () => now);
  const take = (message: string) => presence.take(parseLogLine(`[12:00:00] [Server thread/INFO]: ${message}`));
  take('Anna joined the game');
  now = 2_000;
  take('Ben joined the game.');
  take('<Eve> Carl joined the game');
  take('Anna left the game');
  t.strictSame(presence.names, ['Ben']);
  t.equal(presence.since('Ben'), 2_000);
  // flying-squid's and Velocity's words
  take('Dora (127.0.0.1) connected');
  take('[connected player] Finn (/203.0.113.7:5) has connected');
  take('<Eve> Gina (127.0.0.1) connected');
  t.strictSame(presence.names, ['Ben', 'Dora', 'Finn']);
  take('Dora disconnected');
  take('[connected player] Finn (/203.0.113.7:5) has disconnected');
  t.strictSame(presence.names, ['Ben']);
});
