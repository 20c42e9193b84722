import fc from 'fast-check';
import t from 'tap';
import { PLAYER_ACTIONS, type PlayerAction } from '../../../../shared/domain/players/player-action.ts';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { confirmationIn, playerCommand } from '../../../../workers/supervisor/players/player-actions.ts';

const vanilla = { definition: softwareOf('vanilla')!, version: '1.21.11' };
const bedrock = { definition: softwareOf('bedrock')!, version: '1.21.120.4' };

/** The words of each command before its target. */
const JAVA_VERBS: Readonly<Record<PlayerAction, string>> = {
  kick: 'kick',
  ban: 'ban',
  pardon: 'pardon',
  op: 'op',
  deop: 'deop',
  whitelist: 'whitelist add',
  unwhitelist: 'whitelist remove',
};

/** Texts with everything that has a meaning in a console, a protocol or a parser. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r',
        '\0',
        '\x1b[A',
        '\u0085',
        '\u2028',
        '\u2029',
        '\u00a7',
        '\u00a7k',
        '"',
        "'",
        '\\',
        '/',
      ),
      fc.constantFrom(
        '@a',
        '@e[type=player]',
        '@p',
        ' ',
        ';',
        '&&',
        '$(id)',
        '{name}',
        '{reason}',
        '$&',
        '\ud800',
        '#',
      ),
      fc.constantFrom('Steve', '.Steve', '*Steve', '-Steve', 'a', '_', 'stop', 'op Mallory', 'ban'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const action = fc.constantFrom(...PLAYER_ACTIONS);

t.test('any name and reason give one command with one target, or none', async (t) => {
  let left = 0;
  fc.assert(
    fc.property(
      fc.oneof(hostile, fc.constantFrom('Steve', '.a', '*b', '-c')),
      action,
      hostile,
      (name, action, reason) => {
        const command = commandOrRefusal({ name, action, reason }, vanilla);
        if (command === undefined) return;
        left++;
        const verb = JAVA_VERBS[action];
        // Like Brigadier: the command, the target up to the next blank, the text.
        const rest = command.slice(verb.length + 1);
        const target = rest.split(' ', 1)[0] ?? '';
        const text = rest.slice(target.length);
        if (!command.startsWith(`${verb} `)) throw new Error(`not the verb: ${command}`);
        if (target.replace(/^"(.*)"$/, '$1') !== name) throw new Error(`not the target: ${command}`);
        if (!/^"?[.*-]?\w{1,16}"?$/.test(target)) throw new Error(`not a name: ${command}`);
        if (!/^(?: |$)/.test(text) || (text !== '' && action !== 'kick' && action !== 'ban'))
          throw new Error(`a second argument: ${command}`);
        if (/[\p{Cc}\p{Zl}\p{Zp}\u00a7]/u.test(command) || /@[A-Za-z]/.test(command) || !command.isWellFormed())
          throw new Error(`more than text: ${command}`);
      },
    ),
    { numRuns: 5_000 },
  );
  t.ok(left > 500, `${left} were sent`);
});

t.test('a name with blanks is one target on Bedrock, and invalid on Java', async (t) => {
  t.equal(
    playerCommand({ name: 'Two Words', action: 'kick', reason: 'be "kind"' }, bedrock),
    'kick "Two Words" be "kind"',
  );
  t.equal(playerCommand({ name: 'Two Words', action: 'unwhitelist' }, bedrock), 'allowlist remove "Two Words"');
  t.equal(playerCommand({ name: 'Anna', action: 'whitelist' }, bedrock), 'allowlist add Anna');
  t.throws(() => playerCommand({ name: 'Two Words', action: 'kick' }, vanilla), { code: 'invalid_request' });
});

t.test('players of other games have any name that stays one word of a command', async (t) => {
  const rust = { definition: softwareOf('rust')!, version: 'latest' };
  const factorio = { definition: softwareOf('factorio')!, version: 'latest' };
  const kick = (name: string, target = rust, reason = '') => playerCommand({ name, action: 'kick', reason }, target);
  t.equal(kick('Big Bob (EU)', rust, 'said "no" \\'), `kick "Big Bob (EU)" "said 'no' /"`);
  t.equal(kick('*Bob'), 'kick "*Bob" ""');
  t.equal(kick('Zoë', factorio), '/kick Zoë');
  for (const name of ['Bob"', 'Bob; quit', 'Bob\\', '$(id)', 'Bob\nquit', ' Bob'])
    t.throws(() => kick(name), { code: 'invalid_request', message: /would not read this as one name/ }, name);
  t.throws(() => kick('Big Bob', factorio), { code: 'invalid_request' }, 'two words without quotes');
});

t.test("quotes names of Floodgate only if the server's parser needs it", async (t) => {
  const of = (name: string, action: PlayerAction, version = '1.20.4') =>
    playerCommand({ name, action }, { ...vanilla, version });
  t.equal(of('*Steve', 'kick'), 'kick "*Steve"');
  t.equal(of('*Steve', 'kick', 'custom'), 'kick "*Steve"');
  t.equal(of('*Steve', 'kick', '1.12.2'), 'kick *Steve');
  t.equal(of('*Steve', 'ban'), 'ban *Steve');
  t.equal(of('.Steve', 'kick'), 'kick .Steve');
});

t.test('refuses a name that is anything but a name', async (t) => {
  for (const name of [
    '@a',
    'Anna Ben',
    'Anna\nstop',
    'Anna;stop',
    '"Anna"',
    '',
    'ThisNameIsFarTooLong',
    '../x',
    '/stop',
  ])
    t.throws(() => playerCommand({ name, action: 'kick' }, vanilla), { code: 'invalid_request' }, name);
});

t.test('a reason is text only: no second command, selector, formatting or placeholder', async (t) => {
  const of = (reason: string) => playerCommand({ name: 'Anna', action: 'kick', reason }, vanilla);
  for (const reason of ['a\nstop', 'a\rstop', 'a\0', 'x'.repeat(2_000)])
    t.throws(() => of(reason), { code: 'invalid_request' });
  t.equal(of('{name} $& $1'), 'kick Anna {name} $& $1');
  t.equal(
    of('\u00a74red @everybody, see \u2028 me@example.org @ 5'),
    'kick Anna 4red \uff20everybody, see   me\uff20example.org @ 5',
  );
  t.equal(of('  '), 'kick Anna');
});

t.test('names an action for which the software has no command', async (t) => {
  const velocity = { definition: softwareOf('velocity')!, version: '3.4.0' };
  for (const action of PLAYER_ACTIONS)
    t.throws(() => playerCommand({ name: 'Anna', action }, velocity), {
      code: 'invalid_request',
      message: `Velocity (proxy) has no command to ${action} a player.`,
    });
  t.throws(() => playerCommand({ name: 'Anna', action: 'ban' }, bedrock), {
    code: 'invalid_request',
    message: /Bedrock/,
  });
});

function commandOrRefusal(...[request, target]: Parameters<typeof playerCommand>): string | undefined {
  try {
    return playerCommand(request, target);
  } catch (error) {
    if (error instanceof GamekeeperError && error.code === 'invalid_request') return undefined;
    throw error;
  }
}

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
      t.ok(confirmationIn(answer, { name: 'anna', action }, vanilla.definition), answer);
      t.notOk(confirmationIn(answer, { name: 'Ann', action }, vanilla.definition), `${answer}: another player`);
    }
});

t.test('finds the confirmation among other lines of the console', async (t) => {
  const printed = 'Ben joined the game\n<Ben> No player was found\nKicked Anna: bye\nAnna left the game';
  t.equal(confirmationIn(printed, { name: 'Anna', action: 'kick' }, vanilla.definition), 'Kicked Anna: bye');
  t.equal(confirmationIn('Ben joined the game', { name: 'Anna', action: 'kick' }, vanilla.definition), undefined);
});

t.test("tells an unknown player from a failed command, and returns the server's text", async (t) => {
  const tell = (answer: string, definition = vanilla.definition, action: PlayerAction = 'ban') =>
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
  t.throws(() => tell('No targets matched selector', bedrock.definition, 'op'), { code: 'player_not_found' });
  for (const answer of ['Player already in allowlist', 'Could not op (already op or higher): Anna'])
    t.throws(() => tell(answer, bedrock.definition, 'op'), { code: 'command_rejected', message: answer }, answer);
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
    t.equal(confirmationIn(answer, { name: 'Two Words', action }, bedrock.definition), answer);
});
