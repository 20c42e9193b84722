import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/**
 * Folder for the README's pictures. Without it they are taken and discarded.
 *
 *     GAMEKEEPER_SCREENSHOTS=docs/screenshots npm test -- test/browser/screenshots.test.ts
 */
const FOLDER = process.env.GAMEKEEPER_SCREENSHOTS;

/** Larger pictures would slow the README down. Bytes. */
const MAX_SIZE = 150_000;

/** Small, so that the text is readable in the README. */
const VIEWPORT = { width: 1024, height: 600 };

const PICTURES = {
  'console-dark': { screen: 'desktop', scheme: 'dark', path: '/servers/survival/console', sign: 'joined the game' },
  'backups-light': { screen: 'desktop', scheme: 'light', path: '/servers/survival/backups', sign: 'Manual' },
  'servers-dark': { screen: 'desktop', scheme: 'dark', path: '/', sign: '4/20' },
  'players-phone': { screen: 'phone', scheme: 'dark', path: '/servers/survival/players', sign: 'Notch' },
} as const;

t.test("the README's pictures can be taken and are small", async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['Survival', 'Creative', 'Friends'])
    await gamekeeper.api('POST', '/instances', { software: 'demo', name, port: await freePort() });
  await gamekeeper.api('PUT', '/instances/survival/properties', {
    properties: { motd: '§6§lSurvival§r§7 since 2019\n§aA new map every spring' },
  });
  for (const id of ['survival', 'friends']) {
    await gamekeeper.api('POST', `/instances/${id}/start`);
    await gamekeeper.waitForStatus(id, 'running');
  }
  for (let made = 0; made < 2; made++) await gamekeeper.api('POST', '/instances/survival/backup', {});
  for (const command of [
    ...['Alex', 'Steve', 'Notch', 'Herobrine'].map((player) => `demo join ${player}`),
    'demo chat Alex Who has built this bridge?',
    'demo chat Steve I did. Mind the lava below.',
    'op Alex',
  ])
    await gamekeeper.api('POST', '/instances/survival/commands', { command });
  await until('its stats are known', async () => {
    const { playersOnline, tps } = (await gamekeeper.api<Instance>('GET', '/instances/survival')).body;
    return playersOnline === 4 && tps !== undefined;
  });
  if (FOLDER) await mkdir(FOLDER, { recursive: true });

  for (const [name, { screen, scheme, path, sign }] of Object.entries(PICTURES)) {
    const window = await openWindow(
      browser,
      gamekeeper,
      { screen, scheme },
      screen === 'desktop' ? { viewport: VIEWPORT } : {},
    );
    const { page, visit } = window;
    await signInAs(window, gamekeeper);
    await visit(path);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await until('everything has loaded', async () => (await page.locator('.mantine-Skeleton-root').count()) === 0);
    const picture = await page.screenshot(FOLDER ? { path: join(FOLDER, `${name}.png`) } : {});
    t.ok(picture.length < MAX_SIZE, `${name}: ${picture.length} bytes`);
    await page.context().close();
  }
});
