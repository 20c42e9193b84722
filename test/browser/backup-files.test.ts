import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  hasFocus,
  openWindow,
  type PanelWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
  type View,
} from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

const CONFIG = 'plugins/essentials/config.yml';

/** A server that was backed up, and whose plugins have changed since. */
async function changedServer(t: Test): Promise<{ gamekeeper: Gamekeeper; folder: string }> {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const folder = path.join(gamekeeper.home, 'instances/demo');
  mkdirSync(path.join(folder, 'plugins/essentials'), { recursive: true });
  writeFileSync(path.join(folder, CONFIG), 'then');
  writeFileSync(path.join(folder, 'plugins/same.yml'), 'same');
  await gamekeeper.api('POST', '/instances/demo/backup');
  writeFileSync(path.join(folder, CONFIG), 'edited');
  writeFileSync(path.join(folder, 'plugins/new.yml'), 'new');
  return { gamekeeper, folder };
}

/** Missing for a moment while the folder is exchanged. */
function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function browse({ page, visit }: PanelWindow): Promise<void> {
  await visit('/servers/demo/backups');
  await page.getByRole('button', { name: /^Actions for the backup/ }).click();
  await page.getByRole('menuitem', { name: 'Browse files' }).click();
  await page.getByRole('dialog', { name: /^Files in the backup from/ }).waitFor();
}

for (const view of [
  { screen: 'desktop', scheme: 'dark' },
  { screen: 'phone', scheme: 'light' },
] as const satisfies View[])
  t.test(`files of a backup are downloaded, compared and restored on a ${view.screen}`, async (t) => {
    const browser = await startBrowser(t);
    if (!browser) return;
    const { gamekeeper, folder } = await changedServer(t);
    const panel = await openWindow(browser, gamekeeper, view);
    const { page } = panel;
    await signInAs(panel, gamekeeper);
    await browse(panel);

    await page.getByRole('button', { name: 'Open plugins' }).click();
    await page.getByRole('button', { name: 'Open essentials' }).click();
    const link = page.getByRole('link', { name: 'Download config.yml' });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    t.equal(file.suggestedFilename(), 'config.yml');
    t.equal(readFileSync(await file.path(), 'utf8'), 'then');
    t.notOk(await scrollsSideways(page));
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in the list');

    await page.getByRole('button', { name: 'plugins', exact: true }).click();
    await page.getByRole('button', { name: 'Compare with current files' }).click();
    await page.getByText('New since the backup').waitFor();
    await page.getByText('plugins/new.yml').waitFor();
    await page.getByText('plugins/same.yml').waitFor({ state: 'detached' });
    t.equal(
      await page.getByRole('button', { name: 'Restore plugins/new.yml' }).count(),
      0,
      'the backup does not have it',
    );
    t.notOk(await scrollsSideways(page));
    t.same(await accessibilityFaults(page, [view.scheme]), [], 'axe finds nothing in the comparison');

    await page.getByRole('button', { name: `Restore ${CONFIG}` }).click();
    const question = page.getByRole('dialog', { name: 'Restore config.yml?' });
    await question.getByText('Other files do not change').waitFor();
    await question.getByRole('button', { name: 'Restore this' }).click();
    await until('the file is back', () => contentOf(path.join(folder, CONFIG)) === 'then');
    t.equal(readFileSync(path.join(folder, 'plugins/new.yml'), 'utf8'), 'new', 'others stay');
    await page.getByText('Before a restore').waitFor();
    t.same(panel.complaints, []);
  });

t.test('everything can be done by keyboard', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const { gamekeeper, folder } = await changedServer(t);
  const panel = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page } = panel;
  const press = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
  };
  await signInAs(panel, gamekeeper);
  await panel.visit('/servers/demo/backups');
  const actions = page.getByRole('button', { name: /^Actions for the backup/ });
  await actions.focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: 'Browse files' });
  await item.waitFor();
  await item.focus();
  await page.keyboard.press('Enter');
  await press('Open plugins');
  await press('Restore essentials');
  await hasFocus(page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: 'Restore essentials' }));
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await until('the folder is back', () => contentOf(path.join(folder, CONFIG)) === 'then');
  t.same(panel.complaints, []);
});
