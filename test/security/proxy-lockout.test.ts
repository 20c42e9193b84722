/**
 * Strangers who guess passwords of an account, from many addresses, do not keep its owner out of it in a browser that has signed in before;
 * and such a browser does not give more guesses to whoever steals it.
 */
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { FormBrowser } from '../support/proxy/form-browser.ts';
import { PASSWORD, startProxy } from '../support/proxy/proxy-process.ts';

const ADDRESSES = 20;
const GUESSES_EACH = 5;

const port = await freePort();
const proxy = await startProxy(t, {
  GAMEKEEPER_PROXY_PORT: String(port),
  GAMEKEEPER_PROXY_URL: `http://127.0.0.1:${port}`,
});
await proxy.addUser('anna');
await proxy.addUser('ben');

function signIn(browser: FormBrowser, address: string, fields: { name?: string; password?: string } = {}) {
  const form = { name: 'anna', password: PASSWORD, ...fields };
  return browser.post('/sign-in', form, { 'x-forwarded-for': address });
}

t.test('a hundred wrong passwords of strangers do not keep the owner out', async (t) => {
  const [own, other] = [new FormBrowser(proxy.url), new FormBrowser(proxy.url)];
  t.match((await signIn(own, '203.0.113.1')).text, /anna/);
  await own.post('/sign-out', {});
  for (let n = 0; n < ADDRESSES; n++) {
    const guesses = Array.from({ length: GUESSES_EACH }, () =>
      signIn(new FormBrowser(proxy.url), `198.51.100.${n}`, { password: 'guessed wrong' }),
    );
    t.same(new Set((await Promise.all(guesses)).map(({ status }) => status)), new Set([401]));
  }
  t.equal((await signIn(new FormBrowser(proxy.url), '192.0.2.1')).status, 429, 'the account is guessed at too often');
  t.equal((await signIn(own, '203.0.113.1')).url.pathname, '/account', 'the owner signs in where they did before');
  await own.post('/sign-out', {});
  t.equal((await signIn(own, '198.51.100.1')).url.pathname, '/account', 'also at the address of an attacker');

  t.match((await signIn(other, '203.0.113.2', { name: 'ben' })).url.pathname, '/account');
  await other.post('/sign-out', {});
  t.equal((await signIn(other, '203.0.113.2')).status, 429, 'a browser is known for its own accounts only');
});

t.test('a stolen browser gets as many guesses as an address', async (t) => {
  const stolen = new FormBrowser(proxy.url);
  t.equal((await signIn(stolen, '203.0.113.3', { name: 'ben' })).url.pathname, '/account');
  await stolen.post('/sign-out', {});
  for (let n = 0; n < GUESSES_EACH; n++)
    t.equal((await signIn(stolen, `192.0.2.${n}`, { name: 'ben', password: 'guessed wrong' })).status, 401);
  t.equal((await signIn(stolen, '192.0.2.99', { name: 'ben' })).status, 429);
  t.equal((await signIn(new FormBrowser(proxy.url), '192.0.2.99', { name: 'ben' })).url.pathname, '/account');
});
