import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import {
  compilePattern,
  isReadyLine,
  isSavedAnswer,
  isSavedLine,
} from '../../../../workers/supervisor/game/line-patterns.ts';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';

const demo = softwareOf('demo')!;

const READY = new RegExp(demo.readyPattern ?? '');
const SAVED = demo.save.savedPattern ?? '';
const P = '[12:00:00] [Server thread/INFO]: ';

const ready = (line: string, pattern = READY) => isReadyLine(parseLogLine(line), pattern);
const saved = (line: string, prefixExpected = true) =>
  isSavedLine(parseLogLine(line), { pattern: new RegExp(SAVED), prefixExpected });

t.test('the ready lines of vanilla, old and new, and of servers based on it are recognised', async (t) => {
  for (const message of [
    'Done (15.748s)! For help, type "help" or "?"',
    'Done (1.430s)! For help, type "help"',
    'Done (0,88s)!',
    'Done (1.804s)! Run /geyser help for help!',
  ])
    t.ok(ready(P + message), message);
});

t.test('a player cannot fake the ready line in chat', async (t) => {
  for (const message of [
    '<Eve> Done (1.0s)!',
    '[Not Secure] <Eve> Done (1.0s)!',
    '[Eve] Done (1.0s)!',
    `<Eve> ${P}Done (1.0s)!`,
  ])
    t.notOk(ready(P + message), message);
});

t.test("an owner's pattern may match anywhere in the line, but not in chat", async (t) => {
  t.ok(ready(`${P}Booted up now`, /\[Server thread\/INFO\]: Booted/), 'with the prefix');
  t.ok(ready(`${P}Booted up now`, /^Booted/), 'without it');
  t.ok(ready('[INFO] Server is listening on port 4711', /listening on port/));
  t.ok(ready('Startup complete, took 148ms!', /took \d+ms/));
  t.notOk(ready('<Eve> listening on port 1', /listening on port/));
});

t.test('the saved line is recognised in both wordings, with and without the RCON prefix', async (t) => {
  for (const message of ['Saved the game', 'Saved the world', '[Rcon: Saved the game]'])
    t.ok(saved(P + message), message);
});

t.test('a player cannot fake the saved line in chat, by a name, or on the second line of a message', async (t) => {
  for (const line of [
    `${P}<Eve> Saved the game`,
    `${P}[Eve] Saved the game`,
    `${P}Eve: Saved the game`,
    'Saved the game',
  ])
    t.notOk(saved(line), line);
});

t.test('the saved line of a server without log prefixes is recognised', async (t) => {
  t.ok(saved('Saved the game', false));
});

t.test('the saved message is found in an RCON answer that joins messages without separators', async (t) => {
  t.ok(isSavedAnswer('Saving the game (this may take a moment!)Saved the game', SAVED));
  t.notOk(isSavedAnswer('Unable to save the game (is there enough disk space?)', SAVED));
});

t.test('the error about an invalid pattern names its setting', async (t) => {
  t.throws(() => compilePattern('(', 'readyPattern'), { code: 'invalid_request', message: /^readyPattern / });
});
