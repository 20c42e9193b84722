/** Skins of players that are not allowed any more leave the disk, without anyone looking at players. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../shared/node/files/home.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

const ALLOWED = { players: { skins: true } };
const FORBIDDEN = { players: { skins: false } };

/** Returns the folder of the skins, with one in it. */
function keepSkin({ home }: Gamekeeper): string {
  const { skins } = homeAt(home);
  mkdirSync(skins, { recursive: true });
  writeFileSync(path.join(skins, `${'a'.repeat(64)}.png`), 'a skin');
  return skins;
}

t.test('they are removed when the setting is switched off', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: ALLOWED });
  const skins = keepSkin(gamekeeper);
  const origin = new URL(gamekeeper.addresses().panel).origin;
  const headers = { cookie: await gamekeeper.login(), origin };
  t.equal((await gamekeeper.api('PUT', '/api/settings', FORBIDDEN, headers)).status, 200);
  await until('they are removed', () => !existsSync(skins));
});

t.test('they are removed when the setting was switched off in the file', async (t) => {
  const gamekeeper = await startGamekeeper(t, { settings: ALLOWED });
  const skins = keepSkin(gamekeeper);
  await gamekeeper.endDaemon('SIGTERM');
  t.ok(existsSync(skins), 'they stay while they are allowed');
  writeFileSync(homeAt(gamekeeper.home).settings, JSON.stringify(FORBIDDEN));
  await gamekeeper.startDaemon();
  await until('they are removed', () => !existsSync(skins));
});
