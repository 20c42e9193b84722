import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { openWindow, scrollsSideways, signInAs, startBrowser } from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const OLGA = { username: 'olga', password: 'a word of my own' };

t.test('the Backups tab shows what a backup lacks, and offers the archive to administrators only', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const folder = path.join(gamekeeper.home, 'instances/demo/plugins');
  mkdirSync(folder, { recursive: true });
  symlinkSync(temporaryFolder(t), path.join(folder, 'map'));
  await gamekeeper.api('POST', '/instances/demo/backup');
  const admin = await administrator(gamekeeper);
  await admin.ask('POST', '/api/users', { ...OLGA, role: 'operator' });
  await admin.ask('PATCH', '/api/users/olga', { mustChangePassword: false });

  const theirs = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  await signInAs(theirs, OLGA);
  await theirs.visit('/servers/demo/backups');
  await theirs.page.getByText('Incomplete: 1 missing').waitFor();
  await theirs.page.getByText('plugins/map (the link leads out of the server folder)').waitFor();
  t.notOk(await scrollsSideways(theirs.page), 'it fits on a phone');
  await theirs.page.getByRole('button', { name: /^Actions for the backup/ }).click();
  await theirs.page.getByRole('menuitem', { name: 'Verify' }).waitFor();
  t.equal(await theirs.page.getByRole('menuitem', { name: 'Download' }).count(), 0, 'an operator cannot download it');

  const own = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  await signInAs(own, gamekeeper);
  await own.visit('/servers/demo/backups');
  await own.page.getByRole('button', { name: /^Actions for the backup/ }).click();
  await own.page.getByRole('menuitem', { name: 'Download' }).waitFor();
  t.same([...theirs.complaints, ...own.complaints], []);
});

t.test('the times of a backup follow one clock', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const { body } = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup', {});
  t.equal((await gamekeeper.api('POST', `/instances/demo/backups/${body.backupId}/verify`)).status, 200);
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page } = window;
  await page.clock.install();
  await signInAs(window, gamekeeper);
  await window.visit('/servers/demo/backups');
  const backup = page.getByRole('listitem').filter({ hasText: 'Manual' });
  await backup.getByText(/^verified (?:now|\d+ seconds ago)$/).waitFor();
  await page.clock.fastForward('05:00');
  await backup
    .locator('time')
    .getByText(/^[56] minutes ago$/)
    .waitFor();
  await backup.getByText(/^verified [56] minutes ago$/).waitFor();
  t.same(window.complaints, []);
});

t.test('"Back up now" comes with the list, and does not move under the pointer', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page } = window;
  await signInAs(window, gamekeeper);
  await window.visit('/servers/demo/console');
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('**/instances/demo/backups', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  await page.getByRole('tab', { name: 'Backups' }).click();
  await asked.promise;
  const create = page.getByRole('button', { name: 'Back up now' });
  t.equal(await create.count(), 0, 'where it will be depends on whether there are backups');
  answer.resolve();
  await create.click();
  await page.getByRole('listitem').filter({ hasText: 'Manual' }).waitFor();
  t.same(window.complaints, []);
});
