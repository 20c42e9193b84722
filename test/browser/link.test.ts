import t from 'tap';
import type { Link } from '../../shared/schema/link.ts';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { hostedProxy } from '../support/stand-ins/hosted-proxy.ts';

t.test('a computer is linked, limited and unlinked with the keyboard, and axe finds nothing', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const proxy = await hostedProxy(t);
  const admin = await administrator(gamekeeper);
  const read = async () => (await admin.ask<Link>('GET', '/api/link')).body;
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  const fine = async (what: string) => {
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], what);
    t.notOk(await scrollsSideways(page), what);
  };
  await signInAs(window, gamekeeper);
  await visit('/host/link');

  await field(page, 'Address of the proxy').fill('http://proxy.example.net');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'https' }).waitFor();
  await fine('not linked, with an error');

  await field(page, 'Address of the proxy').fill(proxy.issuer);
  const asked = page.getByRole('checkbox', { name: 'Report the state of this computer to the proxy' });
  t.notOk(await asked.isChecked(), 'reports are the choice of the owner');
  await page.getByRole('checkbox', { name: 'Start, stop and configure servers, send commands' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Link', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Approve this computer' }).waitFor();
  const first = (await read()).request!;
  await page.getByText(first.userCode, { exact: true }).waitFor();
  t.equal(
    await page.getByRole('link', { name: first.verificationUri }).getAttribute('href'),
    first.verificationUriComplete,
  );
  await page.getByRole('img', { name: 'QR code with the address' }).waitFor();
  await page
    .getByRole('timer')
    .filter({ hasText: /Valid for 9:\d\d minutes/ })
    .waitFor();
  await fine('waiting');

  await proxy.deny(first.userCode);
  await page.getByText('The request was denied at the proxy').waitFor();
  await field(page, 'Address of the proxy').fill(proxy.issuer);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Link this computer to a proxy' }).waitFor();

  await field(page, 'Address of the proxy').fill(proxy.issuer);
  await page.getByRole('checkbox', { name: 'Start, stop and configure servers, send commands' }).uncheck();
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('heading', { name: 'Approve this computer' }).waitFor();
  await proxy.approve((await read()).request!.userCode);
  await page.getByRole('heading', { name: 'Linked to a proxy' }).waitFor();
  await page.getByText('You can now control your servers').waitFor();
  await page.getByRole('cell', { name: 'anna' }).waitFor();
  t.notOk((await read()).proxy?.scopes.includes('servers:write'));
  await fine('linked');

  await page.getByRole('checkbox', { name: 'Read consoles' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await until('the limit is stored', async () => !(await read()).proxy?.scopes.includes('logs:read'));

  const report = page.getByRole('switch', { name: 'Report the state of this computer to the proxy' });
  t.notOk(await report.isChecked(), 'off at first');
  await report.focus();
  await page.keyboard.press('Space');
  await until('it reports', async () => (await read()).proxy?.telemetry === true);

  await page.getByRole('button', { name: 'Unlink' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Your servers keep running').waitFor();
  await fine('asking before unlinking');
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('heading', { name: 'Link this computer to a proxy' }).waitFor();
  await page.getByText('You can now control your servers').waitFor({ state: 'detached' });
  t.equal((await read()).proxy, null);
  t.equal(proxy.daemons.size, 0);
});
