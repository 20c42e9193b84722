import t from 'tap';
import { knownProperties, knownProperty } from '../../../../shared/domain/properties/known-properties.ts';
import {
  effectOf,
  type LiveChange,
  liveChange,
  liveSource,
} from '../../../../shared/domain/properties/live-property.ts';
import { SOFTWARE, softwareOf } from '../../../../shared/domain/software/catalogue.ts';

function changeOf(kind: string, key: string, value: string): LiveChange | undefined {
  return liveChange(key, value, softwareOf(kind)!);
}

function commandsOf(kind: string, key: string, value: string) {
  const change = changeOf(kind, key, value);
  if (change?.source !== 'command') throw new Error(`${kind} has no command for ${key}`);
  const done = new RegExp(change.donePattern, 'i');
  return { commands: change.commands, isDone: (answer: string) => done.test(answer) };
}

t.test('every live property of a kind is known, and each of its values makes one line', async (t) => {
  for (const definition of SOFTWARE)
    for (const key of Object.keys(definition.liveProperties ?? {})) {
      const property = knownProperty(definition.edition, key);
      t.ok(property && liveSource(property, definition) === 'command', `${definition.kind}: ${key}`);
      const { type, choices = [], olderForms = [] } = property!;
      const values = type === 'boolean' ? ['true', 'false'] : type === 'integer' ? ['7'] : [...choices, ...olderForms];
      for (const value of values)
        for (const command of commandsOf(definition.kind, key, value).commands)
          t.match(command, /^[a-z0-9:_ -]+$/, command);
    }
});

t.test('settings of the management protocol are unique', async (t) => {
  const names = knownProperties('java').flatMap(({ managementSetting: name }) => (name === undefined ? [] : [name]));
  t.same(names, [...new Set(names)]);
  t.ok(names.length >= 15);
});

t.test('the answers of all versions of vanilla confirm a value, and only that value', async (t) => {
  const difficulty = commandsOf('vanilla', 'difficulty', 'hard');
  t.same(difficulty.commands, ['difficulty hard']);
  for (const answer of [
    'The difficulty has been set to Hard',
    'The difficulty did not change; it is already set to hard',
    'Set game difficulty to Hard',
  ])
    t.ok(difficulty.isDone(answer), answer);
  for (const answer of [
    'The difficulty has been set to Easy',
    'The difficulty is Hard',
    '<Eve> The difficulty has been set to Hard',
    'Unknown or incomplete command, see below for error',
  ])
    t.notOk(difficulty.isDone(answer), answer);

  const allowlist = commandsOf('paper', 'white-list', 'false');
  t.same(allowlist.commands, ['whitelist off'], 'Paper has what vanilla has');
  for (const answer of ['Whitelist is now turned off', 'Whitelist is already turned off', 'Turned off the whitelist'])
    t.ok(allowlist.isDone(answer), answer);
  t.notOk(allowlist.isDone('Whitelist is now turned on'));

  const gameMode = commandsOf('fabric', 'gamemode', '1');
  t.same(gameMode.commands, ['defaultgamemode creative'], 'an older form is spelled as current versions do');
  t.ok(gameMode.isDone('The default game mode is now Creative Mode'));
  t.ok(gameMode.isDone("The world's default game mode is now Creative Mode"));

  const idle = commandsOf('forge', 'player-idle-timeout', '5');
  t.same(idle.commands, ['setidletimeout 5']);
  t.ok(idle.isDone('The player idle timeout is now 5 minutes'));
  t.notOk(idle.isDone('The player idle timeout is now 15 minutes'));
});

t.test('Paper has a difficulty for each world', async (t) => {
  const { commands, isDone } = commandsOf('purpur', 'difficulty', 'easy');
  t.same(commands, [
    'execute in minecraft:the_nether run difficulty easy',
    'execute in minecraft:the_end run difficulty easy',
    'difficulty easy',
  ]);
  t.ok(isDone("Unknown dimension 'minecraft:the_nether'"), 'a world that is turned off');
});

t.test('Bedrock changes settings with its own commands', async (t) => {
  t.same(commandsOf('bedrock', 'difficulty', 'hard').commands, ['changesetting difficulty hard']);
  t.same(commandsOf('bedrock', 'allow-list', 'true').commands, ['allowlist on']);
  t.equal(changeOf('bedrock', 'max-players', '7'), undefined);
});

t.test('other settings go over the management protocol, as values of their types', async (t) => {
  const set = (name: string) => ({ source: 'management', method: `minecraft:serversettings/${name}/set` });
  t.same(changeOf('vanilla', 'max-players', '7'), { ...set('max_players'), value: 7 });
  t.same(changeOf('vanilla', 'enforce-whitelist', 'true'), { ...set('enforce_allowlist'), value: true });
  t.same(changeOf('paper', 'motd', 'a\nstop'), { ...set('motd'), value: 'a\nstop' });
});

t.test('what is not known, or not valid, needs a restart', async (t) => {
  for (const [key, value] of [
    ['pvp', 'true'],
    ['of-a-mod', 'true'],
    ['difficulty', 'hard\nop Eve'],
    ['difficulty', 'hard; stop'],
    ['difficulty', 'hard stop'],
    ['difficulty', '{value}'],
    ['white-list', 'on'],
    ['player-idle-timeout', '5\r'],
    ['__proto__', 'hard'],
    ['toString', 'hard'],
  ] as const)
    t.equal(changeOf('vanilla', key, value), undefined, `${key}=${JSON.stringify(value)}`);
  t.equal(changeOf('velocity', 'difficulty', 'hard'), undefined);
  t.equal(changeOf('terraria', 'difficulty', 'hard'), undefined);
});

t.test('no kind can put free text into a command', async (t) => {
  const vanilla = softwareOf('vanilla')!;
  const liveProperties = { 'level-seed': { commands: ['say {value}'], donePattern: '.' } };
  t.equal(liveChange('level-seed', 'hi', { ...vanilla, liveProperties }), undefined);
});

t.test('a value is in effect once the server has taken it', async (t) => {
  const vanilla = softwareOf('vanilla')!;
  t.equal(effectOf('difficulty', vanilla, { isTaken: true }), 'now');
  t.equal(effectOf('difficulty', vanilla, { isTaken: false }), 'restart');
  t.equal(effectOf('level-seed', vanilla, { isTaken: false }), 'new-world');
  t.equal(effectOf('of-a-mod', vanilla, { isTaken: false }), 'restart');
});
