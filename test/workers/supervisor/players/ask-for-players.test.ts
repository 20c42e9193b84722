import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../../shared/domain/software/definition.ts';
import { askerOf } from '../../../../workers/supervisor/players/ask-for-players.ts';
import { startOpenArena } from '../../../support/games/open-arena.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';

const custom = (own: Partial<SoftwareDefinition>): SoftwareDefinition => ({
  ...softwareOf('custom')!,
  listPing: false,
  ...own,
});
const nowhere = { host: '127.0.0.1', port: 9, rcon: undefined };
const presence = { names: ['Anna', 'Ben'] };

t.test('asks a game in the protocol of its kind', async (t) => {
  if (!requireProgram(t, 'openarena-server', 'openarena-server')) return;
  const { host, port } = await startOpenArena(t, { sv_maxclients: '6' });
  const game = { address: { host, port, rcon: undefined }, isRecovered: false };
  const ask = askerOf(game, { definition: custom({ players: { query: 'quake3' } }), presence });
  t.match(await ask?.(5_000), { online: 0, max: 6 });
});

t.test('counts the players that the console names, unless some may have come before', async (t) => {
  const players = { joined: '(?<name>x)', left: '(?<name>x)' };
  const ask = (isRecovered: boolean, definition: SoftwareDefinition) =>
    askerOf({ address: nowhere, isRecovered }, { definition, presence });
  t.same(await ask(false, custom({ players }))?.(0), { online: 2, sample: [] });
  t.equal(ask(true, custom({ players })), undefined);
  t.equal(ask(false, custom({})), undefined, 'a game that does not say');
});
