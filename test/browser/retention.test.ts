import t from 'tap';
import { openWindow, scrollsSideways, signInAs, startBrowser } from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const OLGA = { username: 'olga', password: 'a word of my own' };

t.test('the Backups tab shows the retention rules, also to users who cannot open the settings', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const retention = { count: 5, days: 1, monthly: 12 };
  const gamekeeper = await startGamekeeper(t, { settings: { backups: { retention } } });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const admin = await administrator(gamekeeper);
  await admin.ask('POST', '/api/users', { ...OLGA, role: 'operator' });
  await admin.ask('PATCH', '/api/users/olga', { mustChangePassword: false });

  const theirs = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  await signInAs(theirs, OLGA);
  await theirs.visit('/servers/demo/backups');
  const rules =
    'Kept: the newest 5; all up to 1 day old; one per month for 12 months. Other backups are deleted automatically';
  await theirs.page.getByText(rules).waitFor();
  t.equal(await theirs.page.getByRole('link', { name: 'Change' }).count(), 0, 'no link without permission');
  t.notOk(await scrollsSideways(theirs.page), 'it fits on a phone');

  const own = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  await signInAs(own, gamekeeper);
  await admin.ask('PUT', '/api/settings', { backups: { retention: null } });
  await own.visit('/servers/demo/backups');
  await own.page.getByText('Backups are kept until someone deletes them.').waitFor();
  await own.page.getByRole('link', { name: 'Change' }).click();
  await own.page.getByRole('heading', { name: 'Retention' }).waitFor();
  t.same([...theirs.complaints, ...own.complaints], []);
});
