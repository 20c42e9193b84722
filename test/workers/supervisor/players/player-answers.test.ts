import t from 'tap';
import { PLAYER_ACTIONS, type PlayerAction } from '../../../../shared/domain/player-action.ts';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';
import { namesInListAnswer } from '../../../../workers/supervisor/players/list-answer.ts';
import { confirmationIn } from '../../../../workers/supervisor/players/player-actions.ts';
import { Presence } from '../../../../workers/supervisor/players/presence.ts';

t.test('reads the answers to "list" of many versions and plugins', async (t) => {
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

const vanilla = softwareOf('vanilla')!;
const bedrock = softwareOf('bedrock')!;

t.test('recognises success in the texts of all versions', async (t) => {
  const answers: Readonly<Record<PlayerAction, string[]>> = {
    kick: [
      'Kicked Anna: Kicked by an operator',
      "Kicked Anna from the game: 'bye'",
      'Kicked Anna from the game',
      'Kicked player Anna. With reason:\nbye',
      '§6Console§c kicked§6 Anna for bye',
    ],
    ban: ['Banned Anna: Banned by an operator.', 'Banned player Anna', '§6Player Console banned Anna for §cbye'],
    pardon: ['Unbanned Anna', 'Unbanned player Anna', 'Pardoned Anna'],
    op: ['Made Anna a server operator', 'Opped Anna'],
    deop: ['Made Anna no longer a server operator', 'De-opped Anna'],
    whitelist: ['Added Anna to the whitelist', 'Added Anna to whitelist'],
    unwhitelist: ['Removed Anna from the whitelist'],
  };
  for (const action of PLAYER_ACTIONS)
    for (const answer of answers[action]) {
      t.ok(confirmationIn(answer, { name: 'anna', action }, vanilla), answer);
      t.notOk(confirmationIn(answer, { name: 'Ann', action }, vanilla), `${answer}: another player`);
    }
});

t.test('finds the confirmation among other lines of the console', async (t) => {
  const printed = 'Ben joined the game\n<Ben> No player was found\nKicked Anna: bye\nAnna left the game';
  t.equal(confirmationIn(printed, { name: 'Anna', action: 'kick' }, vanilla), 'Kicked Anna: bye');
  t.equal(confirmationIn('Ben joined the game', { name: 'Anna', action: 'kick' }, vanilla), undefined);
});

t.test("tells an unknown player from a failed command, and returns the server's text", async (t) => {
  const tell = (answer: string, definition = vanilla, action: PlayerAction = 'ban') =>
    confirmationIn(answer, { name: 'Anna', action }, definition);
  for (const answer of [
    'No player was found',
    'That player does not exist',
    'That player cannot be found',
    "Player 'Anna' cannot be found",
    'Anna not found.',
    '§cError: §4Player not found.',
  ])
    t.throws(() => tell(answer), { code: 'player_not_found', message: /Anna/ }, answer);
  for (const answer of [
    'Nothing changed. The player is already banned',
    "Nothing changed. The player isn't banned",
    'Nothing changed. The player already is an operator',
    'Player is already whitelisted',
    'Player is not whitelisted',
    'Could not ban player Anna',
    'Unknown or incomplete command, see below for error',
    'Unknown command. Try /help for a list of commands',
    'An internal error occurred while attempting to perform this command',
  ])
    t.throws(() => tell(answer), { code: 'command_rejected', message: answer }, answer);
  t.throws(() => tell('No targets matched selector', bedrock, 'op'), { code: 'player_not_found' });
  for (const answer of ['Player already in allowlist', 'Could not op (already op or higher): Anna'])
    t.throws(() => tell(answer, bedrock, 'op'), { code: 'command_rejected', message: answer }, answer);
});

t.test('recognises the texts of Bedrock', async (t) => {
  const answers: [PlayerAction, string][] = [
    ['kick', "Kicked Two Words from the game: 'bye'"],
    ['op', 'Opped: Two Words'],
    ['deop', 'De-opped: Two Words'],
    ['whitelist', 'Player added to allowlist'],
    ['unwhitelist', 'Player removed from allowlist'],
  ];
  for (const [action, answer] of answers)
    t.equal(confirmationIn(answer, { name: 'Two Words', action }, bedrock), answer);
});

t.test('the console shows who is online and since when', async (t) => {
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
  // texts of flying-squid and Velocity
  take('Dora (127.0.0.1) connected');
  take('[connected player] Finn (/203.0.113.7:5) has connected');
  take('<Eve> Gina (127.0.0.1) connected');
  t.strictSame(presence.names, ['Ben', 'Dora', 'Finn']);
  take('Dora disconnected');
  take('[connected player] Finn (/203.0.113.7:5) has disconnected');
  t.strictSame(presence.names, ['Ben']);
});

t.test('reads joins and leaves in the texts of Bedrock', async (t) => {
  const presence = new Presence('bedrock', () => 1_000);
  const take = (message: string) => presence.take(parseLogLine(`[2026-09-02 04:35:59:427 INFO] ${message}`));
  take('Player connected: Cool Gamertag 42, xuid: 2535457893448396');
  take('Player Spawned: Cool Gamertag 42 xuid: 2535457893448396, pfid: 4ad1c0e2b7f3a915');
  take('Player connected: Steve, xuid: 2535473624588400');
  t.strictSame(presence.names, ['Cool Gamertag 42', 'Steve']);
  take('Player disconnected: Cool Gamertag 42, xuid: 2535457893448396, pfid: 4ad1c0e2b7f3a915');
  t.strictSame(presence.names, ['Steve']);
});
