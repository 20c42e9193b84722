import { TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  type PanelWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { administrator } from '../support/browser/panel-user.ts';
import { requestJson } from '../support/http/request-json.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

interface Context {
  gamekeeper: Gamekeeper;
  window: PanelWindow;
  page: Page;
  follow: PanelWindow['follow'];
  /** Finds a button by its exact name. */
  button: (name: string) => Locator;
  /** The heading "Your session has ended". */
  ended: Locator;
  signInAgain: () => Promise<void>;
}

t.test('a session that ends loses no input', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, follow } = window;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const ended = page.getByRole('heading', { name: 'Your session has ended' });
  await signInAs(window, gamekeeper);

  const context = { gamekeeper, window, page, follow, button, ended, signInAgain };

  await t.test('after a refused request the user signs in again, and the input is still there', (t) =>
    afterARefusedRequest(t, context),
  );

  await t.test('the panel notices the end itself; an open dialog is still there, and events arrive again', (t) =>
    panelNoticesTheEnd(t, context),
  );

  await t.test('the console reconnects, and a typed command is still there', () => consoleReconnects(context));

  await t.test('another user who signs in instead sees nothing of it', (t) => anotherUserSignsIn(t, context));

  await t.test('a phone offers the right keyboard for the second factor', (t) =>
    keyboardForTheSecondFactor(t, context),
  );

  async function signInAgain(): Promise<void> {
    await field(page, 'Password').fill(gamekeeper.password);
    await button('Sign in').click();
    await ended.waitFor({ state: 'detached' });
  }
});

async function afterARefusedRequest(
  t: Test,
  { gamekeeper, page, follow, button, ended, signInAgain }: Context,
): Promise<void> {
  await follow('/servers/demo/properties');
  const message = page.getByLabel(/^Message of the day/);
  await message.fill('Typed before');
  await page.context().clearCookies();
  await button('Save').click();
  await ended.waitFor();
  t.notOk(await page.getByText('Demo').first().isVisible(), 'the page is hidden until then');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  t.notOk(await scrollsSideways(page), 'it fits on a phone');
  t.equal(await field(page, 'Username').inputValue(), 'admin');
  await field(page, 'Password').fill('not mine');
  await button('Sign in').click();
  await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
  await signInAgain();
  t.equal(await message.inputValue(), 'Typed before');
  await button('Save').click();
  await until('it is saved', async () => {
    const { body } = await gamekeeper.api<{ properties: { motd?: string } }>('GET', '/instances/demo/properties');
    return body.properties.motd === 'Typed before';
  });
}

async function panelNoticesTheEnd(
  t: Test,
  { gamekeeper, window, page, follow, button, ended, signInAgain }: Context,
): Promise<void> {
  await follow('/servers/demo/schedules');
  await button('Add schedule').click();
  await field(page, 'Name').fill('Every night');
  await endSession(window, gamekeeper);
  await ended.waitFor();
  t.notOk(await page.getByRole('dialog').isVisible());
  await signInAgain();
  t.equal(await page.getByRole('dialog').getByLabel(/^Name/).inputValue(), 'Every night');
  await page.keyboard.press('Escape');
  await gamekeeper.api('POST', '/instances/demo/start');
  await page.getByTestId('phase').getByText('Running').waitFor();
}

async function consoleReconnects({ gamekeeper, window, page, follow, ended, signInAgain }: Context): Promise<void> {
  await follow('/servers/demo/console');
  const terminal = page.locator('.console-terminal[data-state=open]');
  await terminal.waitFor();
  const command = page.getByLabel('Command', { exact: true });
  await command.fill('say we are back');
  await endSession(window, gamekeeper);
  await ended.waitFor();
  await signInAgain();
  await terminal.waitFor();
  await command.press('Enter');
  await page.locator('.xterm-rows').getByText('we are back').first().waitFor();
}

async function anotherUserSignsIn(
  t: Test,
  { gamekeeper, window, page, follow, button, ended, signInAgain }: Context,
): Promise<void> {
  const admin = await administrator(gamekeeper);
  const guest = { username: 'guest', password: gamekeeper.password, role: 'viewer', instances: [] };
  await admin.ask('POST', '/api/users', guest);
  await follow('/servers/demo/properties');
  await page.getByLabel(/^Message of the day/).fill('Of the administrator');
  await endSession(window, gamekeeper);
  await ended.waitFor();
  await field(page, 'Username').fill('guest');
  await signInAgain();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  t.equal(await page.getByLabel(/^Message of the day/).count(), 0);
  await button('Menu').click();
  await button('Sign out').click();
  await page.getByRole('heading', { name: 'Sign in to Gamekeeper' }).waitFor();
  await ended.waitFor({ state: 'detached' }); // nothing continues after signing out
}

async function keyboardForTheSecondFactor(t: Test, { gamekeeper, page, follow, button }: Context): Promise<void> {
  const { password } = gamekeeper;
  const admin = await administrator(gamekeeper);
  const { body } = await admin.ask<{ secret: string }>('POST', '/api/totp', { password });
  const proof = new TOTP({ secret: body.secret }).generate();
  const confirmed = await admin.ask<{ recoveryCodes: string[] }>('POST', '/api/totp', { code: proof });
  await field(page, 'Username').fill('admin');
  await field(page, 'Password').fill(password);
  await button('Sign in').click();

  const code = field(page, 'Code from your authenticator app');
  await code.waitFor();
  t.equal(await code.getAttribute('inputmode'), 'numeric', 'a keyboard with digits');
  t.equal(await code.getAttribute('autocomplete'), 'one-time-code', 'the system can fill it in');
  t.equal(await page.locator(':focus').getAttribute('autocomplete'), 'one-time-code', 'it has the focus');
  t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
  await button('Use a recovery code').click();
  const recovery = field(page, 'Recovery code');
  t.equal(await recovery.getAttribute('inputmode'), 'text', 'a keyboard with letters');
  await recovery.fill(confirmed.body.recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await button('Menu').waitFor();
  await follow('/host/account');
  await page.getByText(/^Recovery codes left: 9$/).waitFor();
}

/** Ends the session outside the browser, as an administrator or a timeout does. */
async function endSession({ page }: PanelWindow, { addresses }: Gamekeeper): Promise<void> {
  const { panel } = addresses();
  const [cookie] = await page.context().cookies();
  await requestJson('POST', new URL('/api/logout', panel), {
    headers: { cookie: `${cookie?.name}=${cookie?.value}`, origin: panel },
  });
}
