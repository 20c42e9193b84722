/** Sign-up and sign-in at another service, in Chromium: another proxy of ours plays the service. */
import t from 'tap';
import { looksRight, openProxyWindow } from '../support/browser/proxy-window.ts';
import { freePort } from '../support/machine/free-port.ts';
import { PASSWORD, startProxy } from '../support/proxy/proxy-process.ts';

t.test('somebody creates an account by a provider, and is asked there for who they are', async (t) => {
  const foreign = await startProxy(t);
  await foreign.addUser('octo.cat');
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const redirectUri = `${url}/providers/oidc/callback`;
  const client = await foreign.command(['client', 'create', '--name', 'Ours', '--redirect-uri', redirectUri, '--json']);
  const { client_id: id, client_secret: secret } = JSON.parse(client.stdout);
  const proxy = await startProxy(t, {
    GAMEKEEPER_PROXY_PORT: port,
    GAMEKEEPER_PROXY_URL: url,
    GAMEKEEPER_PROXY_GITHUB_CLIENT_ID: 'id',
    GAMEKEEPER_PROXY_GITHUB_CLIENT_SECRET: 'secret',
    GAMEKEEPER_PROXY_OIDC_ISSUER: foreign.url,
    GAMEKEEPER_PROXY_OIDC_CLIENT_ID: id,
    GAMEKEEPER_PROXY_OIDC_CLIENT_SECRET: secret,
    GAMEKEEPER_PROXY_OIDC_NAME: 'Clubhouse',
  });
  const opened = await openProxyWindow(t, { url, others: [foreign.url] });
  if (!opened) return;
  const { page, complaints } = opened;
  const { keyboard } = page;

  await page.goto(`${url}/sign-in`);
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
  await looksRight(t, page, 'sign-in with providers');
  await page.getByRole('button', { name: 'Continue with Clubhouse' }).press('Enter');
  await page.getByText('to continue to Ours').waitFor();
  await page.getByLabel('Name').fill('octo.cat');
  await page.getByLabel('Password').fill(PASSWORD);
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByRole('heading', { name: 'Not connected' }).waitFor();
  await looksRight(t, page, 'not connected');

  const { link } = JSON.parse((await proxy.command(['invite', '--json'])).stdout);
  await page.goto(link);
  await looksRight(t, page, 'sign-up with providers');
  await page.getByRole('button', { name: 'Continue with Clubhouse' }).press('Enter');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.getByLabel('Name').fill('octo');
  await looksRight(t, page, 'choose a name');
  await keyboard.press('Enter');
  await page.getByText('Signed in as octo').waitFor();
  await page.getByRole('link', { name: 'Disconnect: Clubhouse' }).waitFor();
  await looksRight(t, page, 'account with a provider');

  await page.getByRole('link', { name: 'Disconnect: Clubhouse' }).press('Enter');
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await looksRight(t, page, 'confirm by a provider');
  await page.getByRole('button', { name: 'Continue with Clubhouse' }).press('Enter');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Name').fill('octo.cat');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByRole('heading', { name: 'Disconnect Clubhouse?' }).waitFor();
  await looksRight(t, page, 'disconnect');
  await page.getByRole('button', { name: 'Disconnect' }).press('Enter');
  await page.getByText('This is the only way you have to sign in').waitFor();
  t.same(complaints, []);
});
