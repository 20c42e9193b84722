/** Passkeys of the hosted proxy in Chromium, with its virtual authenticator. */
import t, { type Test } from 'tap';
import { looksRight, openProxyWindow } from '../support/browser/proxy-window.ts';
import { addVirtualAuthenticator } from '../support/browser/virtual-authenticator.ts';
import { freePort } from '../support/machine/free-port.ts';
import { FormBrowser } from '../support/proxy/form-browser.ts';
import { PASSWORD, type RunningProxy, startProxy } from '../support/proxy/proxy-process.ts';

/** Browsers bind passkeys to names, not to IP addresses. */
async function startNamedProxy(t: Test): Promise<RunningProxy> {
  const port = String(await freePort());
  const proxy = await startProxy(t, {
    GAMEKEEPER_PROXY_PORT: port,
    GAMEKEEPER_PROXY_URL: `http://localhost:${port}`,
  });
  await proxy.addUser('anna');
  await proxy.addUser('ben');
  return proxy;
}

t.test('somebody adds passkeys, signs in with one alone, and removes one', async (t) => {
  const proxy = await startNamedProxy(t);
  const opened = await openProxyWindow(t, proxy);
  if (!opened) return;
  const { page, complaints } = opened;
  const device = await addVirtualAuthenticator(page);
  const { keyboard } = page;

  await page.goto(`${proxy.url}/sign-in`);
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await page.getByRole('alert').getByText('Nothing happened').waitFor();
  await looksRight(t, page, 'sign-in without a passkey');
  await page.getByLabel('Name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await keyboard.press('Enter');

  await page.getByRole('link', { name: 'Add a passkey' }).press('Enter');
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await looksRight(t, page, 'confirm');
  await page.getByLabel('Your password').fill('wrong');
  await keyboard.press('Enter');
  await page.getByText('The password is wrong').waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor();
  await page.getByLabel('Name').fill('Blue key');
  await looksRight(t, page, 'add a passkey');
  await page.getByRole('button', { name: 'Create passkey' }).press('Enter');
  await page.getByText('Passkey: Blue key').waitFor();
  const [made] = await device.credentials();
  t.match(made, { isResidentCredential: true, rpId: 'localhost' });
  await looksRight(t, page, 'account with a passkey');

  await page.getByRole('link', { name: 'Add a passkey' }).press('Enter');
  await page.getByRole('button', { name: 'Create passkey' }).press('Enter');
  await page.getByText('This device already has a passkey').waitFor();

  await page.goto(`${proxy.url}/account`);
  await page.getByRole('button', { name: 'Sign out' }).first().press('Enter');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await page.getByText('Signed in as anna').waitFor();
  await page.getByText('Passkey: Blue key').waitFor();

  await page.getByRole('link', { name: 'Remove: Blue key' }).press('Enter');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await page.getByRole('heading', { name: 'Remove the passkey “Blue key”?' }).waitFor();
  await looksRight(t, page, 'remove a passkey');
  await page.getByRole('button', { name: 'Remove passkey' }).press('Enter');
  await page.getByText('Passkey removed').waitFor();
  t.equal(await page.getByText('Passkey: Blue key').count(), 0);
  await page.getByRole('button', { name: 'Sign out' }).first().press('Enter');
  await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
  await page.getByText('That passkey did not work').waitFor();
  t.same(complaints, []);
});

t.test(
  'a passkey signs in without the code, and its responses are good for one browser, account and time',
  async (t) => {
    const proxy = await startNamedProxy(t);
    const opened = await openProxyWindow(t, proxy);
    if (!opened) return;
    const { page } = opened;
    const device = await addVirtualAuthenticator(page);
    /** The result of the last ceremony, as the form sent it. */
    let sent = '';
    page.on('request', (request) => {
      sent = new URLSearchParams(request.postData() ?? '').get('passkey') || sent;
    });
    await page.goto(`${proxy.url}/sign-in`);
    await page.getByLabel('Name').fill('anna');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('Phone');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByText('Passkey: Phone').waitFor();
    const registration = sent;
    const [made] = await device.credentials();
    if (!made) throw new Error('no passkey was made');

    const ben = new FormBrowser(proxy.url);
    await ben.submit(await ben.open('/account'), '/sign-in', { name: 'ben', password: PASSWORD });
    const unconfirmed = await ben.post('/account/passkeys', { name: 'Mine', passkey: registration });
    t.equal(unconfirmed.url.pathname, '/account/confirm', 'a passkey needs the password first');
    const confirmed = await ben.submit(unconfirmed, '/account/confirm', { password: PASSWORD });
    t.equal(confirmed.url.pathname, '/account/passkeys/add');
    const refused = await ben.post('/account/passkeys', { name: 'Mine', passkey: registration });
    t.match(refused, { status: 400, text: /did not work/ }, 'a response for another account, which was used');
    await page.goto(`${proxy.url}/account`);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('Signed in as anna').waitFor();
    const assertion = sent;
    t.not(assertion, registration);
    const replayed = await new FormBrowser(proxy.url).post('/sign-in', { passkey: assertion });
    t.match(replayed, { status: 401, text: /That passkey did not work/ }, 'a replay');

    for (const one of await device.credentials()) {
      t.ok(one.signCount > 0, 'the device counts');
      await device.restore({ ...one, signCount: 0 });
    }
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('That passkey did not work').waitFor();
    await page.getByLabel('Name').fill('anna');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('another device may have a copy').waitFor();

    // The device replaces its passkey by this one, so it comes last.
    await page.goto(`${proxy.url}/account/passkeys/add`);
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create passkey' }).waitFor();
    const unused = await page.evaluate<string>(`(async () => {
    const optionsJSON = await (await fetch('/account/passkeys/options', { method: 'POST' })).json();
    const { startRegistration } = SimpleWebAuthnBrowser;
    return JSON.stringify(await startRegistration({ optionsJSON: { ...optionsJSON, excludeCredentials: [] } }));
  })()`);
    t.match(
      await ben.post('/account/passkeys', { name: 'Mine', passkey: unused }),
      { status: 400, text: /did not work/ },
      'a response to the challenge of another account',
    );
  },
);

t.test('at an IP address there are no passkeys, and the page says why', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  const opened = await openProxyWindow(t, proxy);
  if (!opened) return;
  const { page, complaints } = opened;
  await page.goto(`${proxy.url}/sign-in`);
  await page.getByLabel('Name').fill('anna');
  t.equal(await page.getByRole('button', { name: 'Use a passkey' }).isVisible(), false);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Passkeys do not work at an IP address').waitFor();
  t.equal(await page.getByRole('link', { name: 'Add a passkey' }).count(), 0);
  t.same(complaints, []);
});
