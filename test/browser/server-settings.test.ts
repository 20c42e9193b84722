import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

type Configuration = Record<string, unknown>;

t.test('required settings cannot be emptied, and only saved changes count as saved', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', maxPlayers: 20, memoryMb: 2_048 });
  const stored = async () => (await gamekeeper.api<Configuration>('GET', '/instances/demo/configuration')).body;
  const before = await stored();
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/settings');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const undo = page.getByRole('button', { name: 'Discard changes' });

  for (const label of ['Name', 'Version', 'Memory', 'Port', 'Player limit', 'Stop timeout', 'Within'])
    await t.test(`${label} cannot be emptied`, async (t) => {
      const input = field(page, label).and(page.locator('input'));
      const value = await input.inputValue();
      await input.clear();
      await save.click();
      await page.getByText('This cannot be empty.').waitFor();
      await hasFocus(input);
      t.ok(await save.isEnabled(), 'the change is still unsaved');
      await undo.click();
      t.equal(await input.inputValue(), value);
      t.equal(await page.getByText('This cannot be empty.').count(), 0);
    });
  t.same(await stored(), before);

  await t.test('a field that is hidden keeps its stored value', async (t) => {
    await field(page, 'At most').clear();
    await page.getByRole('combobox', { name: 'After a crash' }).click();
    await page.getByRole('option', { name: 'Leave it stopped' }).click();
    await save.click();
    const policy = async () => (await stored()).crashPolicy as { restart: string };
    await until('it is saved', async () => (await policy()).restart === 'never');
    t.same(await policy(), { ...(before.crashPolicy as object), restart: 'never' });
  });

  await t.test('an optional setting can be removed, even before the panel has read what was saved', async () => {
    const removed = Promise.withResolvers<void>();
    await page.route('**/instances/demo/configuration', async (route) => {
      await removed.promise;
      await route.continue();
    });
    await field(page, 'Sleep when empty').fill('5');
    await save.click();
    await until('it is saved', async () => (await stored()).sleepWhenEmptyMinutes === 5);
    await field(page, 'Sleep when empty').clear();
    await save.click();
    await until('it is removed', async () => (await stored()).sleepWhenEmptyMinutes === undefined);
    removed.resolve();
  });

  await t.test('the user that a server runs as is chosen where Gamekeeper can', async (t) => {
    const input = field(page, 'Run as user');
    if (process.getuid?.() !== 0) return t.equal(await input.count(), 0, 'Gamekeeper is not root');
    await input.fill('nobody-is-called-so');
    await save.click();
    await page.getByText(/This machine has no user "nobody-is-called-so"/).waitFor();
    await input.fill('games');
    await save.click();
    await until('it is saved', async () => (await stored()).runAs === 'games');
    await input.clear();
    await save.click();
    await until("it is Gamekeeper's own again", async () => (await stored()).runAs === null);
    return;
  });
  const statuses = complaints.map((complaint) => /status of (\d+)/.exec(complaint)?.[1] ?? complaint);
  t.same(statuses, process.getuid?.() === 0 ? ['400'] : [], 'no errors in the browser console but that user');
});

t.test('a stopped server changes its software, after a warning', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { api, home } = gamekeeper;
  // Fresh lists, so that no vendor is asked.
  mkdirSync(path.join(home, 'cache/versions'), { recursive: true });
  for (const [kind, version] of Object.entries({ vanilla: '1.21.4', paper: '1.21.4', fabric: '1.21.5' })) {
    const list = { fetchedAt: new Date().toISOString(), versions: [{ version, stable: true }] };
    writeFileSync(path.join(home, `cache/versions/${kind}.json`), JSON.stringify(list));
  }
  await api('POST', '/instances', { software: 'vanilla', name: 'World', version: '1.21.4' });
  await api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/world/settings');
  const change = page.getByRole('button', { name: 'Change the software' });
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'New software' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  const confirm = async (name: string) => {
    await change.click();
    await page.getByRole('dialog', { name }).getByRole('button', { name: 'Change the software' }).click();
  };
  const software = async () => (await api<Configuration>('GET', '/instances/world')).body;

  await change.waitFor();
  t.ok(await change.isDisabled(), 'nothing is chosen');
  await page.getByRole('combobox', { name: 'New software' }).click();
  t.equal(await page.getByRole('option', { name: /Bedrock|Luanti|Custom/ }).count(), 0, 'only what reads the world');
  await page.keyboard.press('Escape');
  await choose('Paper');
  await page
    .getByText(/Make a backup first/)
    .last()
    .waitFor();
  await page.getByRole('link', { name: 'Go to the backups' }).waitFor();
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await confirm('Change World to Paper?');
  await until('it is Paper', async () => (await software()).software === 'paper');
  t.match(await software(), { version: '1.21.4' });

  await choose('Fabric');
  await page.getByText(/There is no Fabric 1\.21\.4/).waitFor();
  t.ok(await change.isDisabled(), 'a version must be named');
  await page.getByRole('combobox', { name: 'Version of the new software' }).fill('1.21.5');
  await confirm('Change World to Fabric?');
  await until('it is Fabric', async () => (await software()).software === 'fabric');
  t.match(await software(), { version: '1.21.5' });

  await visit('/servers/demo/settings');
  await page.getByRole('heading', { name: 'Duplicate server' }).waitFor();
  t.equal(await change.count(), 0, 'the demo can become nothing else');
  t.same(complaints, [], 'no errors in the browser console');
});
