import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';
import { isReadyLine } from '../../../../workers/supervisor/game/watch-game.ts';

const READY = new RegExp(softwareOf('demo')?.readyPattern ?? '');
const P = '[12:00:00] [Server thread/INFO]: ';

const ready = (line: string, pattern = READY) => isReadyLine(parseLogLine(line), pattern);

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
  t.ok(ready(`${P}Booted up now`, /\[Server thread\/INFO\]: Booted/), 'matches the whole line');
  t.ok(ready(`${P}Booted up now`, /^Booted/), 'matches after the prefix');
  t.ok(ready('[INFO] Server is listening on port 4711', /listening on port/));
  t.ok(ready('Startup complete, took 148ms!', /took \d+ms/));
  t.notOk(ready('<Eve> listening on port 1', /listening on port/));
});
