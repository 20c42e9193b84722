import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  accessibilityFaults,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { startFakeFabric } from '../workers/jobs/mods/fake-fabric.ts';
import { GAME, idOf, startFakeModrinth } from '../workers/jobs/mods/fake-modrinth.ts';

t.test('mods are found, installed with their dependencies before the first start, updated and removed', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const modrinth = await startFakeModrinth(t);
  modrinth.add(
    {
      slug: 'magic',
      versions: [{ number: '1.0', dependencies: [{ dependency_type: 'required', project_id: idOf('runes') }] }],
    },
    { slug: 'runes', versions: [{ number: '2.0' }] },
    { slug: 'client', serverSide: 'unsupported', versions: [{ number: '1.0' }] },
  );
  const fabric = await startFakeFabric(t, GAME);
  const vendors = { modrinth: modrinth.base, fabric: fabric.base };
  const gamekeeper = await startGamekeeper(t, { settings: { vendors } });
  await gamekeeper.api('POST', '/instances', { software: 'fabric', name: 'Modded' });
  const files = () => readdir(join(gamekeeper.home, 'instances/modded/mods')).catch(() => []);

  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit, follow, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/modded/mods');
  await page.getByText('Fabric latest').waitFor();
  await page.getByRole('heading', { name: 'Nothing installed yet', level: 3 }).waitFor();
  t.equal(await page.locator('main .picture').count(), 1);
  await page.getByRole('button', { name: 'Install Runes?' }).waitFor();
  t.equal(await page.getByText('Client', { exact: true }).count(), 0, 'client-only mods are not offered');
  await page.getByLabel('Search Modrinth').fill('magic');
  await page.getByRole('button', { name: 'Install Runes?' }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Install Magic?' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Installs Runes 2.0 (needed by Magic)').waitFor();
  await dialog.getByText(`The server gets version ${GAME}.`).waitFor();
  t.same(await files(), [], 'nothing is installed before the user confirms');
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  t.same((await files()).sort(), ['magic-1.0.jar', 'runes-2.0.jar']);
  await page.getByText(`Fabric ${GAME}`).waitFor();

  await follow('/servers/modded/charts');
  await page
    .getByRole('list', { name: 'Events' })
    .getByRole('listitem')
    .filter({ hasText: /^● Mods changed / })
    .waitFor();
  await follow('/servers/modded/mods');

  await page.getByText('magic-1.0.jar').waitFor();
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing in the list');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  await page.getByRole('button', { name: 'Update all' }).click();
  await dialog.getByText('Everything is up to date').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Remove Runes?' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Magic' }).waitFor();
  t.same((await files()).length, 2, 'a mod that another one needs stays');
  await dialog.getByLabel('Remove it anyway').check();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  t.same(await files(), ['magic-1.0.jar']);
  t.same(
    complaints.filter((complaint) => !/409/.test(complaint)),
    [],
    'no other errors in the browser console, no requests to other hosts',
  );
});
