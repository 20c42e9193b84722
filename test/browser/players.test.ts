import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import {
  accessibilityFaults,
  field,
  hasFocus,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { startFakeMojang } from '../workers/jobs/skins/fake-mojang.ts';
import { skinPng } from '../workers/jobs/skins/skin-png.ts';

/** How long a user thinks before undoing something. The end of a ban is stored in seconds. */
const SHOWN_MS = 5_000;

const UUID = '069a79f4-44e9-4726-a5be-fca90e38aaf5';

t.test('the lists of a stopped server show levels, and the end and the reason of bans', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  const write = (name: string, entries: readonly object[]) =>
    writeFileSync(path.join(gamekeeper.home, 'instances/demo', name), JSON.stringify(entries));
  write('ops.json', [{ uuid: UUID, name: 'Anna', level: 3, bypassesPlayerLimit: false }]);
  write('banned-players.json', [
    { uuid: UUID, name: 'Ben', expires: '2099-01-01 00:00:00 +0000', reason: 'x-ray' },
    { uuid: UUID, name: 'Carl', expires: '2026-01-01 00:00:00 +0000' },
    { uuid: UUID, name: 'Dora', expires: 'forever' },
  ]);

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/players');
  const entry = (list: string, text: RegExp) =>
    page.getByRole('region', { name: list, exact: true }).getByRole('listitem').filter({ hasText: text }).waitFor();
  await entry('Operators', /^Anna\s*Level 3/);
  await entry('Banned', /^Ben\s*Ends in .* days · x-ray/);
  await entry('Banned', /^Carl\s*Ended .* days ago/);
  await entry('Banned', /^Dora\s*Permanent/);
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  t.same(window.complaints, []);
});

t.test('the lists change while the server is stopped, and a player is shown in one place', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  await api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  await api('PUT', '/instances/demo/properties', { properties: { 'online-mode': 'false' } });
  const listed = async (list: string) => (await api<object[]>('GET', `/instances/demo/players/${list}`)).body;
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/players');
  const dialog = page.getByRole('dialog');
  const choose = async (label: string, option: string) => {
    await page
      .getByRole('combobox', { name: label })
      .or(page.locator(`input[aria-label="${label}"]`))
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  await page.getByRole('button', { name: 'Add several' }).click();
  await field(page, 'Player names').fill('Anna, @a\nBen');
  await dialog.getByText('Not player names: @a').waitFor();
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  await field(page, 'Player names').fill('Anna, Carl\nBen');
  await dialog.getByRole('button', { name: 'Add players: 3' }).click();
  await page.getByText('Added to the whitelist: 3').waitFor();
  await dialog.waitFor({ state: 'detached' });
  t.match(await listed('allowlist'), [{ name: 'Anna' }, { name: 'Carl' }, { name: 'Ben' }]);

  await page.getByRole('button', { name: 'Remove Carl from this list' }).click();
  await page.getByText('Removed Carl from the whitelist').waitFor();
  t.equal((await listed('allowlist')).length, 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Added Carl to the whitelist').waitFor();
  t.equal((await listed('allowlist')).length, 3);

  await page.getByRole('button', { name: 'Carl', exact: true }).click();
  await dialog.getByRole('row', { name: /^Whitelist Yes/ }).waitFor();
  t.match(page.url(), /\/players\?player=Carl$/);
  await page.reload();
  await dialog.getByRole('row', { name: /^Whitelist Yes/ }).waitFor();
  await dialog.getByRole('row', { name: /^Operator No/ }).waitFor();
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await dialog.getByRole('button', { name: 'Make operator' }).click();
  await page.locator('input[value="The server\'s default, usually 4"]').waitFor();
  await choose('Level', '2: also game commands and command blocks');
  await page
    .getByRole('dialog', { name: 'Make Carl an operator?' })
    .getByRole('button', { name: 'Make operator' })
    .click();
  await dialog.getByRole('row', { name: /^Operator Yes Level 2/ }).waitFor();
  await dialog.getByRole('button', { name: 'Ban' }).click();
  await choose('For how long', '1 day');
  await page.getByRole('dialog', { name: 'Ban Carl?' }).getByRole('button', { name: 'Ban' }).click();
  await dialog.getByRole('row', { name: /^Banned Yes Ends (?:in 24 hours|tomorrow|in 1 day)/ }).waitFor();
  t.match(await listed('bans'), [{ name: 'Carl', expiresAt: /Z$/ }]);
  await page.getByRole('dialog', { name: 'Ban Carl?' }).waitFor({ state: 'detached' });
  const isFocusInDialog = () => page.evaluate('document.activeElement?.closest("[role=dialog]") !== null');
  await until('the focus is in the drawer, whose button Ban is gone', isFocusInDialog);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  t.match(page.url(), /\/players$/, 'a player who is closed is not in the address');

  const ban = (await listed('bans'))[0] as { expiresAt: string };
  await page
    .getByRole('region', { name: 'Banned', exact: true })
    .getByRole('button', { name: 'Remove Carl from this list' })
    .click();
  const pardoned = page.getByRole('alert').filter({ hasText: 'Pardoned Carl' });
  await pardoned.waitFor();
  t.same(await listed('bans'), []);
  await setTimeout(SHOWN_MS);
  await pardoned.getByRole('button', { name: 'Undo' }).click();
  await until('Carl is banned again', async () => (await listed('bans')).length === 1);
  const again = (await listed('bans'))[0] as typeof ban;
  const shift = Math.abs(Date.parse(again.expiresAt) - Date.parse(ban.expiresAt));
  t.ok(shift < SHOWN_MS, `until the same time, ${shift} ms apart`);

  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Players', selected: true }).waitFor();
  await visit('/servers/demo/players?player=Nobody');
  await dialog.getByText('No player with this name has joined this server yet.').waitFor();
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const command = (text: string) => api('POST', '/instances/demo/commands', { command: text });
  for (const name of ['Anna', 'Ben']) await command(`demo join ${name}`);
  // Who leaves in the same moment has never been online for the panel.
  await page.getByRole('button', { name: 'Actions for Ben' }).waitFor();
  await command('demo leave Ben');
  const seen = page.getByRole('region', { name: 'Seen before' });
  await seen.getByRole('row', { name: /^Ben .*(?:now|second).* sec/ }).waitFor();
  t.equal(await seen.getByRole('row').filter({ hasText: 'Anna' }).count(), 0, 'who is online is in the other table');
  await page.getByRole('button', { name: 'Actions for Anna' }).click();
  await page.getByRole('menuitem', { name: 'Make operator' }).click();
  await dialog.getByText('A running server gives its default level').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Actions for Anna' }).click();
  await page.getByRole('menuitem', { name: 'Kick' }).click();
  await hasFocus(page.getByRole('dialog', { name: 'Kick Anna?' }).getByLabel('Reason (shown to the player)'));
  await page.keyboard.type('took the sheep');
  await page.keyboard.press('Enter');
  await until('Anna was kicked for this reason', async () => {
    const { lines } = (await api<{ lines: string[] }>('GET', '/instances/demo/logs?lines=50')).body;
    return lines.some((line) => line.endsWith('Anna lost connection: took the sheep'));
  });
  await seen.getByRole('row').filter({ hasText: 'Anna' }).waitFor();

  await page.getByRole('button', { name: 'Actions for Ben' }).click();
  await page.getByRole('menuitem', { name: 'Ban' }).click();
  await choose('For how long', '1 hour');
  await page.getByRole('dialog', { name: 'Ban Ben?' }).getByRole('button', { name: 'Ban' }).click();
  const banned = page.getByRole('region', { name: 'Banned', exact: true }).getByRole('listitem');
  await banned.filter({ hasText: /^Ben\s*Ends in/ }).waitFor();
  const { body } = await api('POST', '/instances/demo/commands', { command: 'demo join Ben' });
  t.same(body, { output: 'Ben could not join' }, 'the running server has the ban');
  t.same(window.complaints, []);

  const bans = '**/instances/demo/players/bans';
  await page.route(bans, (route) => route.abort());
  await visit('/servers/demo/players?player=Nobody');
  await dialog.getByRole('alert').waitFor();
  t.equal(await dialog.getByText('No player with this name').count(), 0, 'what could not be loaded is not denied');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  await page.unroute(bans);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('No player with this name has joined this server yet.').waitFor();
});

t.test('an administrator decides whether players have their real heads', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const mojang = await startFakeMojang(t);
  mojang.wear(UUID, skinPng({ face: [200, 0, 0, 255], hat: [0, 0, 200, 255] }));
  const gamekeeper = await startGamekeeper(t, { settings: { vendors: mojang.vendors } });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
  const operators = [
    { uuid: UUID, name: 'Anna', level: 4 },
    { uuid: '853c80ef-3c37-49fd-aa49-938b674adae6', name: 'Ben', level: 4 },
  ];
  writeFileSync(path.join(gamekeeper.home, 'instances/demo/ops.json'), JSON.stringify(operators));

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/players');
  const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const heads = entry('Anna').locator('.player-face img');
  await entry('Anna').locator('.player-face svg').waitFor();
  const toggle = page.getByRole('switch', { name: 'Show the heads of players' });
  await toggle.waitFor();
  t.equal(await heads.count(), 0);
  t.same(mojang.requests, [], 'nothing is asked before it is allowed');
  const sizeOfEntry = async () => {
    const { width, height } = (await entry('Anna').boundingBox())!;
    return { width, height };
  };
  const size = await sizeOfEntry();

  await toggle.focus();
  await page.keyboard.press('Space');
  await heads.nth(1).waitFor();
  const widths = 'Array.from(document.querySelectorAll(".player-face img"), (image) => image.naturalWidth)';
  await until('the face and the hat are shown', async () => {
    return JSON.stringify(await page.evaluate(widths)) === '[64,64]';
  });
  t.equal(await entry('Ben').locator('.player-face img').count(), 0, 'who has no skin keeps the made-up face');
  t.same(await sizeOfEntry(), size, 'nothing moves');
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  await page.getByRole('dialog').locator('.player-face img').first().waitFor();
  await page.keyboard.press('Escape');

  await toggle.focus();
  await page.keyboard.press('Space');
  await heads.first().waitFor({ state: 'detached' });
  await entry('Anna').locator('.player-face svg').waitFor();
  t.same(window.complaints, []);
});
