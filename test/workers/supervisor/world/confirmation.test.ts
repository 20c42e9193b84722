import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';
import { isSavedAnswer, isSavedLine } from '../../../../workers/supervisor/world/confirmation.ts';

const SAVED = softwareOf('demo')?.save.savedPattern ?? '';
const P = '[12:00:00] [Server thread/INFO]: ';

const saved = (line: string, prefixExpected = true) =>
  isSavedLine(parseLogLine(line), { pattern: new RegExp(SAVED), prefixExpected });

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
