import { symlinkSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { connectDaemon } from '../../gateway/upstream/clients.ts';
import { homeAt } from '../../shared/node/files/home.ts';
import { lanAddresses } from '../../shared/node/lan-addresses.ts';
import type { TunnelSettingsDocument } from '../../shared/schema/tunnel.ts';
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
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { startPlayitApi } from '../support/stand-ins/playit-api.ts';

const VERA = { username: 'vera', password: 'a word of my own' };
const PLAYITD = path.join(import.meta.dirname, '../fixtures/playitd.js');

t.test('a beginner gets a public address, checks and removes it, and axe finds nothing', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const port = await freePort();
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port });
  await gamekeeper.api('POST', '/instances', { name: 'Arena', software: 'openarena' });
  const own = { name: 'Own', software: 'custom', launch: { command: ['true'] }, transport: 'udp' };
  await gamekeeper.api('POST', '/instances', own);
  const settings = async () =>
    (await gamekeeper.api<TunnelSettingsDocument>('GET', '/instances/demo/tunnel/settings')).body;
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  const fine = async (what: string) => {
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], what);
    t.notOk(await scrollsSideways(page), what);
  };
  await signInAs(window, gamekeeper);
  for (const overUdp of ['arena', 'own']) {
    await visit(`/servers/${overUdp}/tunnel`);
    await page.getByRole('radio', { name: 'I have a machine on the internet' }).check();
    await page.getByText('This game uses UDP, which SSH cannot forward.').waitFor();
    await field(page, 'Port of frps').waitFor();
    t.equal(await page.getByText('SSH', { exact: true }).count(), 0);
  }

  await t.test('without a public address, the one in the local network is offered, and what friends need', async () => {
    await visit('/');
    const lan = `${lanAddresses()[0] ?? 'localhost'}:${port}`;
    await page.getByRole('main').getByText(lan, { exact: true }).waitFor();
    await visit('/servers/demo/console');
    await page.getByRole('button', { name: `Copy: ${lan}` }).waitFor();
    await page.getByRole('button', { name: 'How players join' }).click();
    const ways = page.getByRole('dialog', { name: 'How players join' });
    for (const address of lanAddresses()) await ways.getByText(`${address}:${port}`, { exact: true }).waitFor();
    await ways.getByText(`localhost:${port}`, { exact: true }).waitFor();
    await ways.getByText('Friends elsewhere need a public address').waitFor();
    await fine('ways to join');
    await ways.getByRole('link', { name: 'Set up a public address' }).click();
    await page.getByRole('tab', { name: 'Public address', selected: true }).waitFor();
    await ways.waitFor({ state: 'detached' });
  });
  await page.getByRole('radio', { name: 'None of these' }).check();
  await page.getByRole('link', { name: 'Download playitd' }).waitFor();
  await fine('playit.gg');
  await page.getByRole('radio', { name: 'I have a machine on the internet' }).check();
  await field(page, 'Host name or address').fill('127.0.0.1');
  await field(page, 'User').fill('anna');
  await fine('SSH');
  await page.getByText('frp', { exact: true }).click();
  await field(page, 'Port of frps').waitFor();
  await fine('frp');

  await page.getByRole('radio', { name: 'I can forward a port in my router' }).check();
  t.notOk(await field(page, 'Address for players').getAttribute('required'), 'the router knows its own');
  await page.getByRole('checkbox', { name: 'Ask my router to forward the port' }).uncheck();
  await page.getByText(`forward TCP port ${port} to this computer`).waitFor();
  await field(page, 'Address for players').fill('no address');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'address' }).waitFor();
  await fine('with an error');
  t.same(await settings(), { provider: null });
  await field(page, 'Address for players').fill(`127.0.0.1:${port}`);
  await page.keyboard.press('Enter');
  await page.getByText('It turns on when the server starts.').waitFor();
  t.match(await settings(), { provider: 'static', address: `127.0.0.1:${port}`, mapping: 'none' });

  await gamekeeper.api('POST', '/instances/demo/start');
  await page.getByText('Working', { exact: true }).waitFor();
  await page
    .getByRole('button', { name: `Copy: 127.0.0.1:${port}` })
    .first()
    .waitFor();
  await fine('working');
  await page.getByRole('button', { name: 'How players join' }).click();
  const ways = page.getByRole('dialog', { name: 'How players join' });
  await ways.getByText('Send this address to friends.').waitFor();
  await page.keyboard.press('Escape');
  await ways.waitFor({ state: 'detached' });
  await t.test('whoever may only look can invite friends, too', async (t) => {
    const { ask } = await administrator(gamekeeper);
    await ask('POST', '/api/users', { ...VERA, role: 'viewer' });
    await ask('PATCH', '/api/users/vera', { mustChangePassword: false });
    const theirs = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
    await signInAs(theirs, VERA);
    await theirs.visit('/servers/demo/console');
    await theirs.page.getByRole('button', { name: `Copy: 127.0.0.1:${port}` }).waitFor();
    await theirs.page.getByRole('button', { name: 'How players join' }).click();
    await theirs.page.getByText('Send this address to friends.').waitFor();
    await theirs.visit('/');
    const card = theirs.page.getByRole('article', { name: 'Demo' });
    await card.getByRole('button', { name: `Copy: 127.0.0.1:${port}` }).waitFor();
    t.same(theirs.complaints, []);
  });
  const tested = page.waitForResponse((response) => response.url().endsWith('/tunnel/test'));
  await page.getByRole('button', { name: 'Test now' }).click();
  t.equal((await tested).status(), 200);

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('What do you have?').waitFor();
  await until('the tunnel is removed', async () => (await settings()).provider === null);
});

t.test('a server gets a name at the linked proxy', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  const daemon = connectDaemon(homeAt(gamekeeper.home).daemonSocket);
  const issuer = `http://127.0.0.1:${await freePort()}`; // It does not answer.
  await daemon.call.setPairing({ issuer, jwksUri: `${issuer}/jwks`, ceiling: ['servers:read'], name: 'Attic' });
  daemon.close();
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/tunnel');
  await page.getByRole('radio', { name: 'None of these' }).check();
  await field(page, 'Name of the server at the proxy').fill('admin');
  t.same(await accessibilityFaults(page, ['light', 'dark']), []);
  t.notOk(await scrollsSideways(page));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'reserved' }).waitFor();
  await field(page, 'Name of the server at the proxy').fill('Friends');
  await page.keyboard.press('Enter');
  await page.getByText('the linked proxy').waitFor();
  await gamekeeper.api('POST', '/instances/demo/start');
  await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
  const { body } = await gamekeeper.api<TunnelSettingsDocument>('GET', '/instances/demo/tunnel/settings');
  t.same(body, { provider: 'relay', hostname: 'friends', proxyProtocol: false });
});

t.test('playit.gg is set up by opening a link', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const playit = await startPlayitApi(t);
  const programs = temporaryFolder(t);
  symlinkSync(PLAYITD, path.join(programs, 'playitd'));
  const env = { API_BASE: playit.url, PATH: `${programs}${path.delimiter}${process.env.PATH}` };
  const gamekeeper = await startGamekeeper(t, { env });
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'dark' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  await visit('/servers/demo/tunnel');
  await page.getByRole('radio', { name: 'None of these' }).check();
  await page.getByRole('button', { name: 'Use playit.gg' }).click();
  const link = page.getByRole('link', { name: 'Open playit.gg' });
  await link.waitFor();
  t.same(await accessibilityFaults(page, ['light', 'dark']), []);
  playit.decide((await link.getAttribute('href'))!, 'UserAccepted');
  await page.getByText('Working', { exact: true }).waitFor();
  await page
    .getByRole('button', { name: `Copy: ${playit.tunnels[0]!.display_address}` })
    .first()
    .waitFor();
  await link.waitFor({ state: 'detached' });
});
