import t from 'tap';
import type { PlayerAction } from '../../../../../../gateway/panel/src/api/players.ts';
import { isConfirmation } from '../../../../../../gateway/panel/src/pages/server/players/confirmation.ts';
import { NO_ANSWER } from '../../../../../../shared/domain/players/player-answer.ts';

t.test('tells confirmations from answers that say more', async (t) => {
  const confirmations: readonly (readonly [PlayerAction, string, string])[] = [
    ['kick', 'Anna', 'Kicked Anna: not nice'],
    ['kick', 'Two Words', "Kicked Two Words from the game: 'bye'"],
    ['kick', 'Anna', '\u00a76Console\u00a7c kicked\u00a76 Anna for bye'],
    ['ban', 'Anna', 'Banned Anna: Banned by an operator.'],
    ['ban', 'anna', '\u00a76Player Console banned Anna for bye'],
    ['ban', '.Anna', 'Banned .Anna: Banned by an operator.'],
    ['pardon', 'Anna', 'Unbanned Anna'],
    ['pardon', 'Anna', 'Pardoned Anna'],
    ['op', 'Anna', 'Made Anna a server operator'],
    ['op', 'Two Words', 'Opped: Two Words'],
    ['deop', 'Anna', 'De-opped Anna'],
    ['whitelist', 'Anna', 'Added Anna to the whitelist'],
    ['whitelist', 'Anna', 'Player added to allowlist'],
    ['unwhitelist', 'Anna', 'Removed Anna from the whitelist'],
  ];
  for (const [action, name, answer] of confirmations) t.ok(isConfirmation(answer, { name, action }), answer);
  const others: readonly (readonly [PlayerAction, string])[] = [
    ['ban', NO_ANSWER],
    ['ban', 'Player not banned'],
    ['ban', 'Banned Annabel: bye'],
    ['ban', 'Unbanned Anna'],
    ['ban', 'Anna is not online, banned anyway'],
    ['pardon', 'Player not unbanned'],
    ['kick', 'Done and dusted'],
    ['op', ''],
  ];
  for (const [action, answer] of others) t.notOk(isConfirmation(answer, { name: 'Anna', action }), answer);
});
