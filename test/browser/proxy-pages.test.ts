/** The pages of the hosted proxy in Chromium: a person links a computer and lets a program in, with the keyboard alone. */
import * as client from 'openid-client';
import t, { type Test } from 'tap';
import { looksRight, openProxyWindow, type ProxyWindow } from '../support/browser/proxy-window.ts';
import { CALLBACK, type OauthWorld, oauthWorld } from '../support/proxy/oauth-world.ts';
import { PASSWORD } from '../support/proxy/proxy-process.ts';

async function openPage(t: Test, { proxy }: OauthWorld): Promise<ProxyWindow | undefined> {
  const opened = await openProxyWindow(t, { url: proxy.url, others: [CALLBACK] });
  await opened?.page.context().route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'back at the program' }));
  return opened;
}

t.test('a person links a computer, then lets a program in and takes it back', async (t) => {
  const world = await oauthWorld(t);
  const { proxy, program } = world;
  const [attic] = [await world.link('anna', 'Attic'), await world.link('anna', 'Cellar')];
  const opened = await openPage(t, world);
  if (!opened) return;
  const { page, complaints } = opened;
  const { keyboard } = page;

  const linking = await client.discovery(new URL(proxy.url), 'gamekeeper-daemon', undefined, client.None(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
  const started = await client.initiateDeviceAuthorization(linking, { scope: 'daemon:link' });
  await page.goto(started.verification_uri_complete ?? '');
  t.equal(await page.getByLabel('Code').inputValue(), started.user_code);
  await looksRight(t, page, 'code');
  await page.getByLabel('Code').press('Enter');

  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await looksRight(t, page, 'sign-in');
  await keyboard.type('anna');
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Link this computer?' }).waitFor();
  await looksRight(t, page, 'link');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  const { access_token: token } = await client.pollDeviceAuthorizationGrant(linking, { ...started, interval: 0.1 });
  t.ok(token);

  const { url, verifier, state } = await world.begin();
  await page.goto(url.href);
  await page.getByRole('heading', { name: 'Allow Bot?' }).waitFor();
  await looksRight(t, page, 'consent');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByRole('alert').getByText('Choose at least one computer').waitFor();
  await page.getByLabel('Attic').press('Space');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.waitForURL(`${CALLBACK}**`);
  const tokens = await client.authorizationCodeGrant(program, new URL(page.url()), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });

  await page.goto(`${proxy.url}/account`);
  await page.getByText('Bot on Attic').waitFor();
  await looksRight(t, page, 'account');
  await page.getByRole('button', { name: 'Remove access: Bot' }).press('Enter');
  await page.getByText('Bot on Attic').waitFor({ state: 'detached' });
  await t.rejects(client.refreshTokenGrant(program, tokens.refresh_token ?? ''));
  await page.getByRole('button', { name: 'Remove: Attic' }).press('Enter');
  await page.getByRole('button', { name: 'Remove: Attic' }).waitFor({ state: 'detached' });
  t.notOk((await (await world.browser('anna')).open('/account')).text.includes(attic.daemonId));

  await page.getByRole('link', { name: 'Change: Password' }).press('Enter');
  await page.getByRole('heading', { name: 'Change your password' }).waitFor();
  await looksRight(t, page, 'password');
  await page.goto(`${proxy.url}/account/second-factor`);
  await looksRight(t, page, 'second factor');
  await page.getByLabel('Your password').fill(PASSWORD);
  await keyboard.press('Enter');
  await page.getByLabel('The code that the app shows').waitFor();
  await looksRight(t, page, 'new secret');
  await page.goto(`${proxy.url}/nothing`);
  await looksRight(t, page, 'error');
  t.same(complaints, [], 'no error, and no request to another host');
});

t.test('a form_post answer reaches the program', async (t) => {
  const world = await oauthWorld(t);
  await world.link('anna');
  const opened = await openPage(t, world);
  if (!opened) return;
  const { page } = opened;
  await page.goto((await world.begin({ response_mode: 'form_post' })).url.href);
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('back at the program').waitFor();
});
