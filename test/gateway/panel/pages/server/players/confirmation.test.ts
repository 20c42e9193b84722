import t from 'tap';
import { isConfirmation } from '../../../../../../gateway/panel/src/pages/server/players/confirmation.ts';

t.test('tells confirmations from answers that say more', (t) => {
  for (const answer of [
    'Kicked Anna: not nice',
    "Kicked Two Words from the game: 'bye'",
    'Banned Anna: Banned by an operator.',
    'Unbanned Anna',
    'Pardoned Anna',
    'Made Anna a server operator',
    'Opped: Two Words',
    'De-opped Anna',
    'Added Anna to the whitelist',
    'Removed Anna from the whitelist',
    'Player added to allowlist',
    '\u00a76Console\u00a7c kicked\u00a76 Anna for bye',
    '\u00a76Player Console banned Anna for bye',
  ])
    t.ok(isConfirmation(answer), answer);
  for (const answer of [
    'The server accepted the command, but did not report whether it worked.',
    'Ben is not online, banned anyway',
    'Done and dusted',
    '',
  ])
    t.notOk(isConfirmation(answer), answer);
  t.end();
});
