/** The pages of an account: sign-in, sessions, password, and forms of other sites. */

import { once } from 'node:events';
import { request } from 'node:http';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { FormBrowser } from '../../../support/proxy/form-browser.ts';
import { PASSWORD, startProxy } from '../../../support/proxy/proxy-process.ts';

const NEW_PASSWORD = 'another battery staple';

async function signIn(url: string, name = 'anna', password = PASSWORD) {
  const browser = new FormBrowser(url);
  const page = await browser.submit(await browser.open('/'), '/sign-in', { name, password });
  return { browser, page };
}

t.test('somebody signs in, sees their sessions, and ends one', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  const here = await signIn(proxy.url, 'Anna');
  t.match(here.page.text, /Signed in as <strong>anna/);
  const there = await signIn(proxy.url);
  const { text } = await there.browser.open('/account');
  for (const listed of [/<strong>This browser/, /<strong>Another browser/]) t.match(text, listed);

  const page = await here.browser.open('/account');
  await here.browser.submit(page, '/account/sessions/');
  t.match((await there.browser.open('/account')).url.pathname, '/sign-in', 'the other browser is signed out');
  const out = await here.browser.submit(page, '/sign-out');
  t.equal(out.url.pathname, '/sign-in');
  t.equal((await here.browser.open('/account')).url.pathname, '/sign-in');
});

t.test('a new password needs the present one, and signs other browsers out', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  const [here, there] = [await signIn(proxy.url), await signIn(proxy.url)];
  const change = async (password: string, newPassword: string) =>
    here.browser.submit(await here.browser.open('/account/password'), '/account/password', { password, newPassword });
  t.match((await change('wrong', NEW_PASSWORD)).text, /current password is wrong/);
  t.match((await change(PASSWORD, 'short')).text, /8 to 256 characters/);
  t.equal((await change(PASSWORD, NEW_PASSWORD)).url.pathname, '/account');
  t.equal((await there.browser.open('/account')).url.pathname, '/sign-in');
  t.equal((await signIn(proxy.url)).page.status, 401);
  t.equal((await signIn(proxy.url, 'anna', NEW_PASSWORD)).page.status, 200);
});

t.test('with a second factor, the password alone lets nobody in', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  const [here, there] = [await signIn(proxy.url), await signIn(proxy.url)];
  const path = '/account/second-factor';
  const wrong = await here.browser.submit(await here.browser.open(path), path, { password: 'wrong' });
  t.match(wrong.text, /The password is wrong/);
  const shown = await here.browser.submit(wrong, path, { password: PASSWORD });
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(shown.text)?.[1] ?? '').replaceAll(' ', '');
  t.match(shown.text, `secret=${secret}`);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const refused = await here.browser.submit(shown, '/confirm', { code: '000000' });
  t.match(refused, { status: 400, text: /This code is wrong/ });
  const done = await here.browser.submit(refused, '/confirm', { code: totp.generate() });
  const recoveryCodes = [...done.text.matchAll(/<code>([a-z0-9-]{19})<\/code>/g)].map(([, code = '']) => code);
  t.equal(recoveryCodes.length, 10);
  t.equal((await there.browser.open('/account')).url.pathname, '/sign-in', 'others must sign in again');

  const { browser, page } = await signIn(proxy.url);
  t.match(page.text, /Enter your code/);
  t.equal((await browser.open('/account')).url.pathname, '/sign-in', 'not signed in yet');
  const used = await browser.submit(page, '/sign-in', { code: totp.generate() });
  t.match(used, { status: 401, text: /already used/ }, 'the code that turned it on');
  const forged = await browser.post('/sign-in', { proof: 'forged', code: totp.generate() });
  t.match(forged.text, /took too long/);
  const inside = await browser.submit(used, '/sign-in', { code: recoveryCodes[0] ?? '' });
  t.match(inside.text, /Signed in as <strong>anna/);

  const late = await signIn(proxy.url);
  const change = { password: PASSWORD, newPassword: NEW_PASSWORD };
  await here.browser.submit(await here.browser.open('/account/password'), '/account/password', change);
  const stale = await late.browser.submit(late.page, '/sign-in', { code: recoveryCodes[2] ?? '' });
  t.match(stale, { status: 401, text: /Name or password is wrong/ }, 'the password was changed before the code came');
  t.equal((await late.browser.open('/account')).url.pathname, '/sign-in');

  const remove = async (code: string) =>
    here.browser.submit(await here.browser.open(path), `${path}/remove`, { password: NEW_PASSWORD, code });
  t.match((await remove(recoveryCodes[0] ?? '')).text, /already used/);
  t.equal((await remove(recoveryCodes[1] ?? '')).url.pathname, '/account');
  t.match((await signIn(proxy.url, 'anna', NEW_PASSWORD)).page.text, /Signed in as/);
});

t.test('forms of other sites are refused', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  const { browser } = await signIn(proxy.url);
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${proxy.url}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const refused = await browser.post('/sign-out', {}, headers as Record<string, string>);
    t.equal(refused.status, 403, JSON.stringify(headers));
    t.match(refused.text, /must be sent from a page of/);
  }
  t.equal((await browser.open('/account')).url.pathname, '/account', 'still signed in');
});

t.test('wrong passwords are counted, and the answer says how long to wait', async (t) => {
  const proxy = await startProxy(t);
  await proxy.addUser('anna');
  for (let count = 0; count < 5; count++) t.equal((await signIn(proxy.url, 'anna', 'wrong')).page.status, 401);
  const { page } = await signIn(proxy.url);
  t.match(page, { status: 429, text: /Too many failed sign-ins/ });
});

t.test('behind a reverse proxy the cookie is for this host only, and addresses come from that proxy', async (t) => {
  const proxy = await startProxy(t, { GAMEKEEPER_PROXY_URL: 'https://play.example.net' });
  t.equal(proxy.url, 'https://play.example.net');
  await proxy.addUser('anna');
  const port = /"port":(\d+)/.exec(proxy.output())?.[1];
  const send = async (path: string, headers: Record<string, string>, body?: string) => {
    const sent = request({ host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST', headers });
    sent.end(body);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { headers: response.headers, text };
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded', host: 'play.example.net' };
  const body = new URLSearchParams({ name: 'anna', password: PASSWORD }).toString();
  const forwarded = { ...form, 'x-forwarded-for': '198.51.100.1, 203.0.113.7', 'x-forwarded-proto': 'https' };
  const { headers } = await send('/sign-in', forwarded, body);
  const cookie = String(headers['set-cookie']);
  t.match(cookie, /^__Host-gamekeeper=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure,__Host-gamekeeper-browser=/);
  const { text } = await send('/account', { host: 'play.example.net', cookie: cookie.split(';', 1).join() });
  t.match(text, /from 203\.0\.113\.7/, 'the last address, which the reverse proxy added');

  const code = await send('/device', { host: 'play.example.net' });
  const cookies = code.headers['set-cookie'] ?? [];
  t.ok(cookies.length > 0);
  for (const one of cookies) t.match(one, /; secure/i, 'those of OAuth too');

  const discovery = await send('/.well-known/openid-configuration', {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
  });
  t.notMatch(discovery.text, /evil/);
  t.match(discovery.text, /"token_endpoint":"https:\/\/play\.example\.net\/oauth\/token"/);
});

t.test('errors are pages for people, and problems for programs', async (t) => {
  const proxy = await startProxy(t);
  const page = await new FormBrowser(proxy.url).open('/nothing');
  t.match(page, { status: 404, text: /Not found/ });
  const problem = await fetch(`${proxy.url}/api/nothing`);
  t.equal(problem.status, 404);
  t.match(await problem.json(), { code: 'route_not_found', resolution: /./ });
  for (const method of ['OPTIONS', 'POST', 'HEAD']) {
    const { status } = await fetch(`${proxy.url}/.well-known/openid-configuration`, { method });
    t.ok(status < 500, `${method}: ${status}`);
  }
  const large = await fetch(`${proxy.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'x'.repeat(20_000) }),
  });
  t.equal(large.status, 413);
  const json = await fetch(`${proxy.url}/sign-in`, {
    method: 'POST',
    body: '<x/>',
    headers: { 'content-type': 'text/xml' },
  });
  t.equal(json.status, 415);
});
