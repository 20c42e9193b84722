import t from 'tap';
import { field, hasFocus, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
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
  t.same(complaints, [], 'no errors in the browser console');
});
