import t from 'tap';
import {
  chosenCommand,
  commandsFor,
  complete,
} from '../../../../../gateway/panel/src/console/command-line/completion.ts';

const PLAYERS = ['Alex', 'Alexander', 'Steve'];

t.test('completes a command with a space after it', (t) => {
  t.equal(complete('gamem', []), 'gamemode ');
  t.equal(complete('GAMEM', []), 'gamemode ', 'ignores case');
  t.equal(complete('/gamem', []), '/gamemode ', 'works after a slash');
  t.end();
});

t.test('completes the common beginning of all matches', (t) => {
  t.equal(complete('weat', []), 'weather ');
  t.equal(complete('world', []), 'worldborder ');
  t.equal(complete('sav', []), 'save-');
  t.equal(complete('save-', []), undefined, 'stops at an ambiguous prefix');
  t.end();
});

t.test('completes player names after the command', (t) => {
  t.equal(complete('kick st', PLAYERS), 'kick Steve ');
  t.equal(complete('kick a', PLAYERS), 'kick Alex');
  t.equal(complete('kick alex', PLAYERS), undefined);
  t.equal(complete('kick alexa', PLAYERS), 'kick Alexander ');
  t.equal(complete('msg Alex gamem', PLAYERS), undefined, 'no commands as later words');
  t.end();
});

t.test('has nothing to add to an empty or unknown word', (t) => {
  for (const typed of ['', '/', 'kick ', 'xyz', 'kick xyz']) t.equal(complete(typed, PLAYERS), undefined, typed);
  t.end();
});

t.test('suggests the commands that begin with the first word', (t) => {
  t.same(commandsFor('save'), ['save-all', 'save-off', 'save-on']);
  t.same(commandsFor('/SAVE-O'), ['save-off', 'save-on']);
  t.same(commandsFor('ban'), ['ban', 'ban-ip', 'banlist'], 'longer ones too');
  for (const typed of ['', '/', 'seed', 'say ', 'say hi', 'xyz', ' sa']) t.same(commandsFor(typed), [], typed);
  t.end();
});

t.test('a chosen command keeps the slash and is ready for the next word', (t) => {
  t.equal(chosenCommand('sa', 'save-all'), 'save-all ');
  t.equal(chosenCommand('/sa', 'save-all'), '/save-all ');
  t.end();
});
