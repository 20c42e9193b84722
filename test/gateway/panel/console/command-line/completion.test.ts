import t from 'tap';
import {
  complete,
  suggestionsFor,
  withChosen,
} from '../../../../../gateway/panel/src/console/command-line/completion.ts';

const server = (...players: string[]) => ({ players, version: 'latest' });
const NOBODY = server();
const PLAYERS = server('Alex', 'Alexander', 'Steve');

const wordsFor = (typed: string, on = PLAYERS) => suggestionsFor(typed, on).map(({ word }) => word);

t.test('completes a command with a space after it', (t) => {
  t.equal(complete('gamem', NOBODY), 'gamemode ');
  t.equal(complete('GAMEM', NOBODY), 'gamemode ', 'ignores case');
  t.equal(complete('/gamem', NOBODY), '/gamemode ', 'works after a slash');
  t.end();
});

t.test('completes the common beginning of all matches', (t) => {
  t.equal(complete('weat', NOBODY), 'weather ');
  t.equal(complete('world', NOBODY), 'worldborder ');
  t.equal(complete('sav', NOBODY), 'save-');
  t.equal(complete('save-', NOBODY), undefined, 'stops at an ambiguous prefix');
  t.equal(complete('/time set n', NOBODY), undefined, 'noon or night');
  t.equal(complete('/time set m', NOBODY), '/time set midnight ');
  t.end();
});

t.test('completes player names after the command', (t) => {
  t.equal(complete('kick st', PLAYERS), 'kick Steve ');
  t.equal(complete('kick a', PLAYERS), 'kick Alex');
  t.equal(complete('kick alex', PLAYERS), undefined);
  t.equal(complete('kick alexa', PLAYERS), 'kick Alexander ');
  t.equal(complete('msg Alex gamem', PLAYERS), undefined, 'no commands as later words');
  t.equal(complete('msg Alex hello ste', PLAYERS), 'msg Alex hello Steve ', 'also where no names are suggested');
  t.equal(complete('difficulty st', PLAYERS), undefined, 'but not where something else is');
  t.end();
});

t.test('has nothing to add to an empty or unknown word', (t) => {
  for (const typed of ['', '/', 'kick ', 'xyz', 'kick xyz']) t.equal(complete(typed, PLAYERS), undefined, typed);
  t.end();
});

t.test('suggests the commands that begin with the first word', (t) => {
  t.same(suggestionsFor('/SAVE-O', NOBODY), [
    { word: 'save-off', about: 'save-off' },
    { word: 'save-on', about: 'save-on' },
  ]);
  t.same(wordsFor('save'), ['save-all', 'save-off', 'save-on']);
  t.same(wordsFor('ban'), ['ban', 'ban-ip', 'banlist'], 'longer ones too');
  for (const typed of ['', '/', 'seed', 'say ', 'say hi', 'xyz', ' sa']) t.same(wordsFor(typed), [], typed);
  t.end();
});

t.test('suggests players in their order, where a command takes one', (t) => {
  t.same(suggestionsFor('kick ', server('Steve', 'Alex')), [{ word: 'Steve' }, { word: 'Alex' }]);
  for (const typed of [
    'ban s',
    'Op s',
    '/tp s',
    'tp Alex s',
    'gamemode creative s',
    'whitelist add s',
    'whitelist Remove s',
  ])
    t.same(wordsFor(typed), ['Steve'], typed);
  for (const typed of ['kick Steve', 'kick Steve ', 'say s', 'whitelist on s', 'tp Alex Steve s'])
    t.same(wordsFor(typed), [], typed);
  const crowd = Array.from({ length: 1_000 }, (_, index) => `Player${index}`);
  t.equal(wordsFor('op p', server(...crowd)).length, 50, 'not all of a thousand');
  t.end();
});

t.test('suggests the words that a command takes, with a description each', (t) => {
  t.same(suggestionsFor('/difficulty h', NOBODY), [{ word: 'hard', about: 'difficulty hard' }]);
  t.same(wordsFor('gamemode '), ['survival', 'creative', 'adventure', 'spectator']);
  t.same(wordsFor('whitelist r'), ['remove', 'reload']);
  t.same(wordsFor('time '), ['set']);
  t.same(wordsFor('time set '), ['day', 'noon', 'night', 'midnight']);
  t.same(wordsFor('Weather '), ['clear', 'rain', 'thunder']);
  for (const typed of ['weather rain', 'weather rain ', 'time set day ', 'weather  r'])
    t.same(wordsFor(typed), [], typed);
  t.end();
});

t.test('suggests game rules by the names that the version has', (t) => {
  for (const version of ['latest', '1.21.11', '26.1', '25w46a'])
    t.same(wordsFor('gamerule k', { players: [], version }), ['keep_inventory'], version);
  for (const version of ['1.8', '1.20.4', '1.21', '1.21.9', '1.21.10-rc1'])
    t.same(suggestionsFor('gamerule k', { players: [], version }), [
      { word: 'keepInventory', about: { gamerule: 'keep_inventory' } },
    ]);
  t.same(wordsFor('gamerule ', { players: [], version: 'b1.7.3' }), [], 'before all game rules');
  t.same(
    wordsFor('gamerule ').filter((word) => /[A-Z]/.test(word)),
    [],
    'no former names for a new version',
  );
  const old = { players: [], version: '1.20.4' };
  t.same(wordsFor('gamerule pv', old), [], 'a property then');
  t.same(wordsFor('gamerule pv'), ['pvp']);
  t.same(wordsFor('gamerule keepInventory ', old), ['true', 'false']);
  t.same(wordsFor('gamerule keepInventory '), [], 'an old name for a new version');
  t.same(suggestionsFor('gamerule pvp t', PLAYERS), [{ word: 'true', about: '<rule> true' }]);
  t.same(wordsFor('gamerule random'), ['random_tick_speed']);
  t.same(wordsFor('gamerule random_tick_speed '), [], 'its value is a number');
  t.same(wordsFor('gamerule randomTickSpeed ', old), []);
  t.end();
});

t.test('a chosen word replaces the last one, and is ready for what follows', (t) => {
  t.equal(withChosen('sa', { word: 'save-all' }), 'save-all ');
  t.equal(withChosen('/sa', { word: 'save-all' }), '/save-all ');
  t.equal(withChosen('/Whitelist add ', { word: 'Steve' }), '/Whitelist add Steve ');
  t.end();
});
