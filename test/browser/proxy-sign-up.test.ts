/** Invitations of the hosted proxy in Chromium: an administrator invites people, who make their accounts by keyboard. */
import t, { type Test } from 'tap';
import { looksRight, openProxyWindow } from '../support/browser/proxy-window.ts';
import { addVirtualAuthenticator } from '../support/browser/virtual-authenticator.ts';
import { freePort } from '../support/machine/free-port.ts';
import { PASSWORD, type RunningProxy, startProxy } from '../support/proxy/proxy-process.ts';

async function startNamedProxy(t: Test): Promise<RunningProxy> {
  const port = String(await freePort());
  const proxy = await startProxy(t, {
    GAMEKEEPER_PROXY_PORT: port,
    GAMEKEEPER_PROXY_URL: `http://localhost:${port}`,
  });
  await proxy.command(['user', 'add', 'root', '--admin', '--password-stdin'], PASSWORD);
  return proxy;
}

t.test('an administrator invites somebody, who signs up and is managed', async (t) => {
  const proxy = await startNamedProxy(t);
  const opened = await openProxyWindow(t, proxy);
  if (!opened) return;
  const { page, complaints } = opened;
  const { keyboard } = page;
  const signIn = async (name: string, password: string) => {
    await page.goto(`${proxy.url}/sign-in`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await keyboard.press('Enter');
  };
  const confirm = async () => {
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
    await page.getByLabel('Your password').fill(PASSWORD);
    await keyboard.press('Enter');
  };

  await signIn('root', PASSWORD);
  await page.getByRole('link', { name: 'Manage accounts' }).press('Enter');
  await confirm();
  await page.getByRole('heading', { name: 'Manage accounts' }).waitFor();
  await looksRight(t, page, 'manage accounts');
  await page.getByLabel('Who is it for?').fill('Ben from the club');
  await keyboard.press('Enter');
  const link = await page.getByLabel('Link').inputValue();
  t.match(link, new RegExp(`^${proxy.url}/invite/[\\w-]{43}$`));
  await looksRight(t, page, 'new invitation');
  await page.getByRole('link', { name: 'Back to all accounts' }).press('Enter');
  await page.getByText('Ben from the club').waitFor();
  await looksRight(t, page, 'open invitation');

  const guest = await page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  if (!guest) throw new Error('no browser');
  const theirs = await guest.newPage();
  await theirs.goto(link);
  await looksRight(t, theirs, 'sign-up');
  await theirs.keyboard.type('root');
  await theirs.keyboard.press('Tab');
  await theirs.keyboard.type('ben keeps a secret');
  await theirs.keyboard.press('Enter');
  await theirs.getByRole('alert').getByText('already an account with the name').waitFor();
  await looksRight(t, theirs, 'sign-up with a problem');
  await theirs.getByLabel('Name').fill('ben');
  await theirs.getByLabel('Password').fill('ben keeps a secret');
  await theirs.keyboard.press('Enter');
  await theirs.getByText('Signed in as ben').waitFor();
  t.equal(await theirs.getByRole('link', { name: 'Manage accounts' }).count(), 0);
  t.equal((await theirs.goto(`${proxy.url}/admin`))?.status(), 404, 'others have no such page');
  await theirs.goto(link);
  await theirs.getByRole('heading', { name: 'This invitation no longer works' }).waitFor();
  await looksRight(t, theirs, 'used invitation');

  await page.reload();
  await page.getByRole('link', { name: 'Manage: ben' }).press('Enter');
  await page.getByText('Account created: invited by root').waitFor();
  await looksRight(t, page, 'manage an account');
  await page.getByLabel('Also remove their authenticator app').press('Space');
  await page.getByRole('button', { name: 'Reset password' }).press('Enter');
  const password = await page.locator('.note code').innerText();
  await looksRight(t, page, 'new password');
  await theirs.goto(`${proxy.url}/account`);
  await theirs.getByLabel('Name').fill('ben');
  await theirs.getByLabel('Password').fill(password);
  await theirs.keyboard.press('Enter');
  await theirs.getByText('Password reset by root').waitFor();

  await page.getByRole('link', { name: 'Back to ben' }).press('Enter');
  await page.getByRole('button', { name: 'Disable account' }).press('Enter');
  await page.getByRole('button', { name: 'Enable account' }).waitFor();
  await theirs.goto(`${proxy.url}/account`);
  await theirs.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('button', { name: 'Enable account' }).press('Enter');
  await page.getByRole('link', { name: 'Delete account' }).press('Enter');
  await page.getByRole('heading', { name: 'Delete the account ben?' }).waitFor();
  await looksRight(t, page, 'delete an account');
  await page.getByRole('button', { name: 'Delete account' }).press('Enter');
  await page.getByRole('heading', { name: 'Manage accounts' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Manage: ben' }).count(), 0);
  await page.getByRole('link', { name: 'Manage: root' }).press('Enter');
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
  t.same(complaints, []);
});

t.test('somebody signs up with a passkey alone, changes their name, and deletes their account', async (t) => {
  const proxy = await startNamedProxy(t);
  const opened = await openProxyWindow(t, proxy);
  if (!opened) return;
  const { page, complaints } = opened;
  await addVirtualAuthenticator(page);
  const invited = await proxy.command(['invite', '--note', 'Cara', '--json']);
  const { link, id } = JSON.parse(invited.stdout);
  t.match((await proxy.command(['invite', 'list'])).stdout, `${id}  until`);
  await page.goto(link);
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  t.equal(await page.evaluate('document.activeElement.name'), 'name', 'the name comes first');
  await page.keyboard.type('root');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await page.getByRole('alert').getByText('already an account').waitFor();
  await page.getByLabel('Name').fill('cara');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await page.getByText('Signed in as cara').waitFor();
  await page.getByText('none: you sign in without one').waitFor();
  t.equal((await proxy.command(['invite', 'list'])).stdout, 'There are no open invitations.\n');

  const useKey = async () => {
    await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  };
  await page.getByRole('link', { name: /^Remove: / }).press('Enter');
  await useKey();
  await page.getByRole('button', { name: 'Remove passkey' }).press('Enter');
  await page.getByText('This is the only way you have to sign in').waitFor();
  await page.goto(`${proxy.url}/account/name`);
  await page.getByLabel('New name').fill('ROOT');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('already an account').waitFor();
  await looksRight(t, page, 'change name');
  await page.getByLabel('New name').fill('clara');
  await page.keyboard.press('Enter');
  await page.getByText('Name changed: from cara').waitFor();
  await page.getByRole('link', { name: 'Set: Password' }).press('Enter');
  await page.getByLabel('New password').fill('a brand new password');
  await looksRight(t, page, 'set a password');
  await page.keyboard.press('Enter');
  await page.getByText('Password changed').waitFor();

  await page.getByRole('link', { name: 'Delete: Your account' }).press('Enter');
  await useKey();
  await page.getByRole('heading', { name: 'Delete your account?' }).waitFor();
  await looksRight(t, page, 'delete own account');
  await page.getByRole('button', { name: 'Delete account' }).press('Enter');
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
  t.same(JSON.parse((await proxy.command(['user', 'list', '--json'])).stdout).length, 1);
  await page.goto(`${proxy.url}/account`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.same(complaints, []);
});

t.test('invitations at the command line: wrong values, and taking one back', async (t) => {
  const proxy = await startProxy(t);
  for (const args of [
    ['--days', '0'],
    ['--days', 'x'],
    ['--days', '31'],
    ['--note', 'a\nb'],
  ])
    t.match(await proxy.command(['invite', ...args]), { code: 2, stderr: /--days a number/ }, args.join(' '));
  const { stdout } = await proxy.command(['invite', '--admin']);
  const link = /http\S+\/invite\/\S+/.exec(stdout)?.[0] ?? '';
  const [, id = ''] = /invite revoke (\w+)/.exec(stdout) ?? [];
  t.equal((await fetch(link)).status, 200);
  t.match((await proxy.command(['invite', 'list'])).stdout, /administrator/);
  t.match(await proxy.command(['invite', 'revoke', id]), { code: 0 });
  t.match(await proxy.command(['invite', 'revoke', id]), { code: 1, stderr: /no open invitation/ });
  t.equal((await fetch(link)).status, 404);
});
