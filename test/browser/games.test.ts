import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const EGG = {
  meta: { version: 'PTDL_v2' },
  name: 'Space Game',
  docker_images: { Debian: 'debian' },
  startup: './space --port {{SERVER_PORT}}',
  config: { files: '{}', startup: '{"done": "ready"}', stop: 'quit', logs: '{}' },
  scripts: { installation: { script: 'curl -o space https://example.org/space', container: 'x', entrypoint: 'bash' } },
  variables: [],
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

t.test('the games are shown in groups, and a kind is added, used and removed', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { api, home } = gamekeeper;
  writeFileSync(path.join(home, 'software/broken.json'), JSON.stringify({ kind: 'broken', title: 'Broken' }));
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/new');
  await page.getByRole('link', { name: 'See all games' }).click();
  await page.getByRole('heading', { name: 'Games', exact: true }).waitFor();
  const group = (name: string) => page.getByRole('region', { name, exact: true });
  const card = (name: string) => page.getByRole('article', { name, exact: true });
  await group('Minecraft').getByRole('article', { name: 'Paper', exact: true }).waitFor();
  await group('Other games').getByRole('article', { name: 'Luanti' }).waitFor();
  await group('Your own').getByRole('article', { name: 'Custom program' }).waitFor();
  t.match(await card('Paper').innerText(), /with plugins.*Gamekeeper installs it/s);
  t.match(await card('OpenArena').innerText(), /A package of your operating system/);
  t.equal(await card('Paper').getByRole('button', { name: 'Remove Paper' }).count(), 0);
  t.match(await group('Files that cannot be used').innerText(), /broken\.json\s+.*launch/);
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');

  const dialog = page.getByRole('dialog', { name: 'Add a game' });
  await t.test('what is no kind is refused', async () => {
    await button(page, 'Add a game').click();
    await field(page, 'Or paste its content').fill('hello');
    await button(page, 'Check').click();
    await dialog.getByText(/neither an egg of Pterodactyl/).waitFor();
    await page.getByLabel('Close').or(button(page, 'Cancel')).last().click();
  });

  await t.test('an egg is shown in full, changed and saved', async (t) => {
    await button(page, 'Add a game').click();
    const chosen = page.waitForEvent('filechooser');
    await button(page, 'Choose a file').click();
    await (await chosen).setFiles({
      name: 'egg.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(EGG)),
    });
    await button(page, 'Check').click();
    await dialog.getByText('Read it before you save it', { exact: false }).waitFor();
    await dialog.getByText('curl -o space https://example.org/space').waitFor();
    await dialog.getByText(/: never run$/).waitFor();
    await dialog.getByRole('heading', { name: 'Left out or assumed' }).waitFor();
    const result = field(page, 'The whole kind');
    const text = await result.inputValue();
    t.match(JSON.parse(text), { kind: 'space-game', readyPattern: 'ready' });
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing in the dialog');
    t.notOk(existsSync(path.join(home, 'software/space-game.json')), 'nothing is saved before it was read');
    await result.fill(text.replace('"space-game"', '"paper"'));
    await button(page, 'Save').click();
    await dialog.getByText(/"paper" ships with Gamekeeper/).waitFor();
    await result.fill(text.replace('"space-game"', '"space"'));
    await button(page, 'Save').click();
    await card('Space Game').waitFor();
    t.match(JSON.parse(readFileSync(path.join(home, 'software/space.json'), 'utf8')), { kind: 'space' });
  });

  await t.test('its card leads to a new server, and it cannot be removed while one uses it', async () => {
    await card('Space Game').getByRole('link', { name: 'New Space Game server' }).click();
    await page.waitForURL('**/new?kind=space');
    await page.getByRole('radio', { name: /^Space Game/, checked: true }).waitFor();
    await field(page, 'Name').fill('My orbit');
    await field(page, 'Port').fill(String(await freePort()));
    await page.getByRole('checkbox', { name: 'Start it now' }).uncheck();
    await button(page, 'Create server').click();
    await page.waitForURL('**/servers/my-orbit/console');
    await visit('/host/games');
    await button(page, 'Remove Space Game').click();
    const confirm = page.getByRole('dialog', { name: 'Remove Space Game?' });
    await confirm.getByRole('button', { name: 'Remove', exact: true }).click();
    await confirm.getByText('Servers of this kind: My orbit.').waitFor();
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await api('DELETE', '/instances/my-orbit?files=delete');
    await button(page, 'Remove Space Game').click();
    await confirm.getByRole('button', { name: 'Remove', exact: true }).click();
    await until('it is gone', async () => (await card('Space Game').count()) === 0);
  });

  await t.test('a viewer sees the games, and adds none', async (t) => {
    const admin = await administrator(gamekeeper);
    const eve = { username: 'eve', password: 'a word of my own' };
    await admin.ask('POST', '/api/users', { ...eve, role: 'viewer' });
    await admin.ask('PATCH', '/api/users/eve', { mustChangePassword: false });
    const theirs = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
    await signInAs(theirs, eve);
    await theirs.visit('/host/games');
    await theirs.page.getByRole('article', { name: 'Paper', exact: true }).waitFor();
    t.equal(await button(theirs.page, 'Add a game').count(), 0);
    t.equal(await theirs.page.getByRole('link', { name: /^New .* server$/ }).count(), 0);
  });
  const expected = /status of (?:400|409)/;
  t.same(
    complaints.filter((complaint) => !expected.test(complaint)),
    [],
    'no errors in the browser console',
  );
});
