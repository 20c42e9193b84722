import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import type { HostState } from '../../shared/schema/host.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { hasLoaded, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { serverIcon } from '../support/browser/server-icons.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

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

/** The machine is as busy as the tests make it, and the README shows one that runs a few servers. */
const CPU_PERCENT = 12;

const SERVERS = { Survival: 'grass', Creative: 'house', Friends: 'heart' } as const;

const PICTURES = {
  'console-dark': {
    screen: 'desktop',
    scheme: 'dark',
    path: '/servers/survival/console',
    sign: '▸ more lines',
    command: 'say The bridge is closed until noon',
  },
  'backups-light': { screen: 'desktop', scheme: 'light', path: '/servers/survival/backups', sign: 'Manual' },
  'servers-dark': { screen: 'desktop', scheme: 'dark', path: '/', sign: 'A new map every spring' },
  'players-phone': { screen: 'phone', scheme: 'dark', path: '/servers/survival/players', sign: 'Notch' },
} as const;

t.test("the README's pictures can be taken and are small", async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await fill(gamekeeper);
  if (FOLDER) await mkdir(FOLDER, { recursive: true });

  for (const [name, { screen, scheme, path, sign, ...more }] of Object.entries(PICTURES)) {
    const window = await openWindow(
      browser,
      gamekeeper,
      { screen, scheme },
      screen === 'desktop' ? { viewport: VIEWPORT } : {},
    );
    const { page, visit } = window;
    await calmHost(page);
    await signInAs(window, gamekeeper);
    await visit(path);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    if ('command' in more) await sendCommand(page, more.command);
    await hasLoaded(page);
    await page.locator('.server-icon:not(:has(img))').first().waitFor({ state: 'detached' });
    const picture = await page.screenshot(FOLDER ? { path: join(FOLDER, `${name}.png`) } : {});
    t.ok(picture.length < MAX_SIZE, `${name}: ${picture.length} bytes`);
    await page.context().close();
  }
});

/** Creates the servers, with icons, backups, players and what is in the console. */
async function fill({ api, home, waitForStatus }: Gamekeeper): Promise<void> {
  for (const [name, icon] of Object.entries(SERVERS)) {
    await api('POST', '/instances', { software: 'demo', name, port: await freePort() });
    writeFileSync(join(home, 'instances', name.toLowerCase(), 'server-icon.png'), serverIcon(icon));
  }
  await api('PUT', '/instances/survival/properties', {
    properties: { motd: '§6§lSurvival§r§7 since 2019\n§aA new map every spring' },
  });
  for (const id of ['survival', 'friends']) {
    await api('POST', `/instances/${id}/start`);
    await waitForStatus(id, 'running');
  }
  for (const id of ['survival', 'survival', 'friends']) await api('POST', `/instances/${id}/backup`, {});
  for (const command of [
    ...['Alex', 'Steve', 'Notch', 'Herobrine'].map((player) => `demo join ${player}`),
    'demo chat Alex Who has built this bridge?',
    'demo chat Steve I did. Mind the lava below.',
    'op Alex',
    'demo exception Could not pass BlockBreakEvent to Bridges 1.2',
  ])
    await api('POST', '/instances/survival/commands', { command });
  await until('its stats are known', async () => {
    const { playersOnline, tps } = (await api<Instance>('GET', '/instances/survival')).body;
    return playersOnline === 4 && tps !== undefined;
  });
}

/** Lets the panel show another load of the machine than the tests cause. */
async function calmHost(page: Page): Promise<void> {
  await page.route('**/api/host', async (route) => {
    const response = await route.fetch();
    const host: HostState = await response.json();
    await route.fulfill({ response, json: { ...host, cpuPercent: CPU_PERCENT } });
  });
}

async function sendCommand(page: Page, command: string): Promise<void> {
  const line = page.getByLabel('Command', { exact: true });
  await line.fill(command);
  await line.press('Enter');
  await page.locator('.console-command').waitFor();
}
