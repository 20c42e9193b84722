import { readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Job } from '../../shared/schema/job.ts';
import {
  accessibilityFaults,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { damage } from '../support/machine/damage.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('a failed job is shown until it is dismissed or has worked', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const { body } = await gamekeeper.api<{ backupId: string }>('POST', '/instances/demo/backup', {});
  const verify = () => gamekeeper.api('POST', `/instances/demo/backups/${body.backupId}/verify`);
  const archive = archiveOf(gamekeeper);
  await copyFile(archive, `${archive}.whole`);
  damage(archive);
  // While no page is open.
  t.equal((await verify()).status, 422);

  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, complaints } = window;
  const tray = page.getByRole('region', { name: 'Failed tasks' });
  const tab = page.getByRole('main');
  const failed = 'Failed: ';
  await signInAs(window, gamekeeper);
  await tray.getByText(failed).waitFor();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('A task failed: Demo').waitFor();
  const count = tray.getByRole('button', { name: 'Failed tasks (1)' });
  await count.click();
  await tray.getByText(failed).waitFor({ state: 'detached' });
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing in the collapsed tray');
  await visit('/servers/demo/backups');
  await tab.getByText(failed).waitFor();
  t.equal(await tray.getByText(failed).count(), 0, 'the tray stays collapsed on the next page');
  await count.click();
  for (const place of [tray, tab]) {
    await place.getByText('Verifying a backup of Demo').waitFor();
    await place.getByText(failed).waitFor();
    await place.getByRole('link', { name: 'How to fix this' }).waitFor();
  }
  t.same(await accessibilityFaults(page, ['dark', 'light']), [], 'axe finds nothing');

  await tab.getByRole('button', { name: 'Dismiss' }).click();
  for (const place of [tray, tab]) await place.getByText(failed).waitFor({ state: 'detached' });
  await page.reload();
  await tab.getByText('verification failed').waitFor();
  t.equal(await page.getByText(failed).count(), 0, 'it stays dismissed after a reload');
  const jobs = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/jobs'));
  await visit('/');
  await (await jobs).finished();
  await page.getByRole('article', { name: 'Demo' }).waitFor();
  t.equal(await attention.count(), 0, 'nor does it need attention');
  await visit('/servers/demo/backups');

  await verify();
  await tray.getByText(failed).waitFor();
  await copyFile(`${archive}.whole`, archive);
  t.equal((await verify()).status, 200);
  await page.getByText('A backup of Demo was verified.').waitFor();
  await tray.waitFor({ state: 'detached' });
  await tab.getByText(failed).waitFor({ state: 'detached' }); // a success removes the failure
  t.same(complaints, []);

  await verify();
  damage(archive);
  await verify();
  const phone = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  await signInAs(phone, gamekeeper);
  const small = phone.page.getByRole('region', { name: 'Failed tasks' });
  const line = small.getByRole('button', { name: 'Failed tasks (1)' });
  await line.waitFor();
  t.ok((await small.boundingBox())!.height < 50, 'on a phone, failures take one line of the page');
  t.equal(await small.getByText(failed).count(), 0);
  await line.click();
  await small.getByText(failed).waitFor();
  t.notOk(await scrollsSideways(phone.page), 'it fits on a phone');
  t.same(await accessibilityFaults(phone.page, ['dark', 'light']), [], 'axe finds nothing on a phone');

  await phone.page.evaluate("localStorage.setItem('gamekeeper.language', 'de')");
  await phone.page.reload();
  await phone.page.getByRole('button', { name: 'Fehlgeschlagene Aufgaben (1)', expanded: true }).waitFor();
  await phone.page.getByText('Prüfsumme oder Aufbau des Archivs stimmt nicht.').waitFor();
});

t.test('a late response does not bring a finished job back', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/backups');
  const button = page.getByRole('button', { name: 'Back up now' });
  await button.waitFor();
  const later = Promise.withResolvers<Job[]>();
  await page.route('**/jobs', async (route) => route.fulfill({ json: await later.promise }), { times: 1 });
  const delayed = page.waitForResponse('**/jobs');
  await button.click();
  await page.getByRole('listitem').filter({ hasText: 'Manual' }).waitFor();
  const { body: jobs } = await gamekeeper.api<Job[]>('GET', '/jobs');
  later.resolve(jobs.map(({ endedAt: _, ...job }) => ({ ...job, state: 'running', percent: 50 })));
  await (await delayed).finished();
  // Once this event is shown, the late response has been applied.
  await gamekeeper.api('POST', '/instances/demo/start');
  await page.getByTestId('phase').getByText('Running').waitFor();
  t.equal(await page.getByRole('progressbar').count(), 0);
  t.same(complaints, []);
});

function archiveOf({ home }: Gamekeeper): string {
  const folder = join(home, 'backups/demo');
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.zip')) ?? '');
}
