/** Sign-in at a foreign OpenID Connect server: another proxy of ours, which knows nothing of it. */
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import t, { type Test } from 'tap';
import { readConfig } from '../../../../../gateway/proxy/startup/config.ts';
import { freePort } from '../../../../support/machine/free-port.ts';
import { FormBrowser, type Page } from '../../../../support/proxy/form-browser.ts';
import { leaving } from '../../../../support/proxy/oauth-world.ts';
import { PASSWORD, type RunningProxy, startProxy } from '../../../../support/proxy/proxy-process.ts';

/** Each test starts two proxies and checks several passwords. */

interface World {
  foreign: RunningProxy;
  proxy: RunningProxy;
  /** A browser that is signed in at the foreign server. */
  visitor(name: string): Promise<FormBrowser>;
  /** Lets the foreign server say who it is. Resolves to the page that the browser then sees here. */
  allow(browser: FormBrowser, visitor: FormBrowser, start: () => Promise<Page>): Promise<Page>;
}

async function startWorld(t: Test, env: Record<string, string> = {}): Promise<World> {
  const foreign = await startProxy(t);
  for (const name of ['octo', 'cat']) await foreign.addUser(name);
  const port = String(await freePort());
  const redirectUri = `http://127.0.0.1:${port}/providers/oidc/callback`;
  const client = await foreign.command(['client', 'create', '--name', 'Ours', '--redirect-uri', redirectUri, '--json']);
  const { client_id: id, client_secret: secret } = JSON.parse(client.stdout);
  const proxy = await startProxy(t, {
    GAMEKEEPER_PROXY_PORT: port,
    GAMEKEEPER_PROXY_OIDC_ISSUER: foreign.url,
    GAMEKEEPER_PROXY_OIDC_CLIENT_ID: id,
    GAMEKEEPER_PROXY_OIDC_CLIENT_SECRET: secret,
    GAMEKEEPER_PROXY_OIDC_NAME: 'Clubhouse',
    ...env,
  });
  await proxy.addUser('anna');
  return {
    foreign,
    proxy,
    async visitor(name) {
      const browser = new FormBrowser(foreign.url);
      await browser.submit(await browser.open('/account'), '/sign-in', { name, password: PASSWORD });
      return browser;
    },
    async allow(browser, visitor, start) {
      const authorization = await leaving(start);
      t.equal(authorization.origin, foreign.url);
      return browser.open(await decide(visitor, authorization, 'allow'));
    },
  };
}

/** Resolves to the address that the browser is sent back to. */
function decide(visitor: FormBrowser, authorization: URL, decision: 'allow' | 'deny'): Promise<URL> {
  return leaving(async () => visitor.submit(await visitor.open(authorization), '/consent', { decision }));
}

/** The same where the foreign server asks for the password again. */
function signInAndAllow(visitor: FormBrowser, authorization: URL): Promise<URL> {
  return leaving(async () => {
    const login = await visitor.open(authorization);
    const consent = await visitor.submit(login, '/sign-in', { name: 'octo', password: PASSWORD });
    return visitor.submit(consent, '/consent', { decision: 'allow' });
  });
}

async function signedIn({ proxy }: World, name = 'anna'): Promise<FormBrowser> {
  const browser = new FormBrowser(proxy.url);
  await browser.submit(await browser.open('/account'), '/sign-in', { name, password: PASSWORD });
  return browser;
}

/** Connects the provider with the account of a browser that is signed in. */
async function connect(world: World, browser: FormBrowser, visitor: FormBrowser): Promise<Page> {
  await confirm(browser);
  return world.allow(browser, visitor, async () =>
    browser.submit(await browser.open('/account'), '/account/providers/oidc/connect'),
  );
}

async function confirm(browser: FormBrowser): Promise<void> {
  await browser.submit(await browser.open('/account/confirm'), '/account/confirm', { password: PASSWORD });
}

t.test('a provider is connected by its owner, signs in, and is disconnected', async (t) => {
  const world = await startWorld(t);
  const { proxy } = world;
  const octo = await world.visitor('octo');
  const stranger = new FormBrowser(proxy.url);
  const start = async () => stranger.submit(await stranger.open('/sign-in'), '/providers/oidc/sign-in');
  const unknown = await world.allow(stranger, octo, start);
  t.match(unknown, { status: 403, text: /is not connected with an account here/ });
  t.equal((await stranger.open('/account')).url.pathname, '/sign-in');

  const anna = await signedIn(world);
  const asked = await anna.submit(await anna.open('/account'), '/account/providers/oidc/connect');
  t.equal(asked.url.pathname, '/account/confirm', 'connecting needs the password');
  const connected = await connect(world, anna, octo);
  t.match(connected.text, /Clubhouse: /);
  t.match(connected.text, /Connected: Clubhouse/);
  const inside = await world.allow(stranger, octo, start);
  t.match(inside.text, /Signed in as <strong>anna/);

  const removal = await anna.open('/account/providers/oidc/remove');
  t.equal((await anna.submit(removal, '/providers/oidc/remove')).url.pathname, '/account');
  t.equal((await stranger.open('/account')).url.pathname, '/sign-in', 'others are signed out');
  t.match(await world.allow(stranger, octo, start), { status: 403 });
});

t.test('an answer of a provider is good for one browser and once', async (t) => {
  const world = await startWorld(t);
  const { proxy } = world;
  const octo = await world.visitor('octo');
  const anna = await signedIn(world);
  await connect(world, anna, octo);

  const [mine, other] = [new FormBrowser(proxy.url), new FormBrowser(proxy.url)];
  const begin = async (browser: FormBrowser) =>
    leaving(async () => browser.submit(await browser.open('/sign-in'), '/providers/oidc/sign-in'));
  const stolen = await decide(octo, await begin(mine), 'allow');
  await leaving(async () => other.submit(await other.open('/sign-in'), '/providers/oidc/sign-in'));
  t.match(
    await other.open(stolen),
    { status: 400, text: /Please start again/ },
    'another browser, which began its own',
  );
  t.match(await mine.open(stolen), { status: 400, text: /Please start again/ }, 'it is used up');
  const callback = await decide(octo, await begin(mine), 'allow');
  t.match((await mine.open(callback)).text, /Signed in as/);
  t.match(await mine.open(callback), { status: 400 }, 'a replay');
  for (const change of ['state=x', 'code=x', 'iss=https://evil.example'] as const) {
    const changed = await decide(octo, await begin(other), 'allow');
    const [name = '', value = ''] = change.split('=');
    changed.searchParams.set(name, value);
    t.ok([400, 502].includes((await other.open(changed)).status), change);
  }
  t.equal((await other.open('/account')).url.pathname, '/sign-in');
  t.match(await other.open(await decide(octo, await begin(other), 'deny')), { text: /You did not allow Clubhouse/ });
  t.match(await other.open('/providers/oidc/callback'), { status: 400 });
  t.match(await other.open('/providers/google/callback'), { status: 404 });
  const foreign = await anna.post('/providers/oidc/sign-in', {}, { origin: 'https://evil.example' });
  t.equal(foreign.status, 403);
});

t.test('somebody else’s answer connects nothing, and each has one owner', async (t) => {
  const world = await startWorld(t);
  const { proxy } = world;
  await proxy.addUser('ben');
  const [octo, cat] = [await world.visitor('octo'), await world.visitor('cat')];
  const [anna, ben] = [await signedIn(world), await signedIn(world, 'ben')];
  await connect(world, anna, octo);
  t.match(await connect(world, ben, octo), { text: /is already connected with an account here/ });
  t.match(await connect(world, ben, cat), { text: /Clubhouse: / });

  // The browser signs in to another account while the person is at the provider.
  await anna.submit(await anna.open('/account/providers/oidc/remove'), '/providers/oidc/remove');
  await confirm(anna);
  const account = await anna.open('/account');
  const url = await leaving(async () => anna.submit(account, '/account/providers/oidc/connect'));
  await anna.submit(await anna.open('/account'), '/sign-out');
  await anna.submit(await anna.open('/sign-in'), '/sign-in', { name: 'anna', password: PASSWORD });
  t.match(await anna.open(await decide(octo, url, 'allow')), { status: 400, text: /Nothing was changed/ });
});

t.test('after a provider, the code of the second factor is still asked for', async (t) => {
  const world = await startWorld(t);
  const { proxy } = world;
  const octo = await world.visitor('octo');
  const anna = await signedIn(world);
  await connect(world, anna, octo);
  const path = '/account/second-factor';
  const shown = await anna.submit(await anna.open(path), path, { password: PASSWORD });
  const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(shown.text)?.[1] ?? '').replaceAll(' ', '');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const done = await anna.submit(shown, '/confirm', { code: totp.generate() });
  const [recovery = '', another = ''] = Array.from(
    done.text.matchAll(/<code>([a-z0-9-]{19})<\/code>/g),
    ([, code = '']) => code,
  );

  const browser = new FormBrowser(proxy.url);
  const asked = await world.allow(browser, octo, async () =>
    browser.submit(await browser.open('/sign-in'), '/providers/oidc/sign-in'),
  );
  t.match(asked.text, /Enter your code/);
  t.equal((await browser.open('/account')).url.pathname, '/sign-in');
  t.match((await browser.submit(asked, '/sign-in', { code: recovery })).text, /Signed in as <strong>anna/);
  const url = await leaving(() => browser.post('/account/confirm/oidc?to=/account/name', {}));
  const page = await browser.open(await signInAndAllow(octo, url));
  t.match(page, { status: 400, text: /Nothing was changed/ }, 'a provider does not stand for password and code');
  t.equal((await browser.open('/account/name')).url.pathname, '/account/confirm');

  const panel = `/panel/${randomUUID()}?state=${'s'.repeat(43)}`;
  const visitor = new FormBrowser(proxy.url);
  const code = await world.allow(visitor, octo, async () =>
    visitor.submit(await visitor.open(panel), '/providers/oidc/sign-in'),
  );
  const { url: landing } = await visitor.submit(code, '/panel/', { code: another });
  t.equal(`${landing.pathname}${landing.search}`, panel, 'the code leads back to the panel as well');
});

t.test('an account is made with an invitation, or where everybody may', async (t) => {
  const world = await startWorld(t);
  const { proxy } = world;
  const octo = await world.visitor('octo');
  const { link } = JSON.parse((await proxy.command(['invite', '--json'])).stdout);
  const browser = new FormBrowser(proxy.url);
  const choose = await world.allow(browser, octo, async () =>
    browser.submit(await browser.open(link), '/providers/oidc/sign-in'),
  );
  t.match(choose.text, /Choose a name/);
  t.match(await browser.submit(choose, '/providers/sign-up', { name: 'Anna' }), {
    status: 400,
    text: /already an account/,
  });
  t.match(await browser.submit(choose, '/providers/sign-up', { name: 'a b' }), { status: 400 });
  const forged = await browser.post('/providers/sign-up', { proof: 'forged', name: 'octo' });
  t.match(forged, { status: 400, text: /Please start again/ });
  const made = await browser.submit(choose, '/providers/sign-up', { name: 'octo' });
  t.match(made.text, /Signed in as <strong>octo/);
  t.match(await browser.submit(choose, '/providers/sign-up', { name: 'octo2' }), { status: 400 }, 'one account');

  const asked = await browser.open('/account/name');
  t.match(asked.text, /Continue with Clubhouse/, 'the only way to prove it');
  const url = await leaving(async () => browser.submit(asked, '/account/confirm/oidc'));
  t.equal(url.searchParams.get('prompt'), 'login');
  const callback = await signInAndAllow(octo, url);
  t.equal((await browser.open(callback)).url.pathname, '/account/name');
  t.match(
    (await browser.submit(await browser.open('/account/name'), '/account/name', { name: 'Octo2' })).text,
    /Octo2/,
  );
  const last = await browser.open('/account/confirm?to=https://evil.example');
  t.notMatch(last.text, /evil/);
});

t.test('where everybody may, an account at the provider is enough', async (t) => {
  const world = await startWorld(t, { GAMEKEEPER_PROXY_SIGN_UP: 'providers' });
  const browser = new FormBrowser(world.proxy.url);
  const choose = await world.allow(browser, await world.visitor('cat'), async () =>
    browser.submit(await browser.open('/sign-in'), '/providers/oidc/sign-in'),
  );
  t.match((await browser.submit(choose, '/providers/sign-up', { name: 'cat' })).text, /Signed in as <strong>cat/);
});

t.test('a provider that is away keeps nobody from signing in otherwise', async (t) => {
  const port = await freePort();
  const proxy = await startProxy(t, {
    GAMEKEEPER_PROXY_OIDC_ISSUER: `http://127.0.0.1:${port}`,
    GAMEKEEPER_PROXY_OIDC_CLIENT_ID: 'id',
    GAMEKEEPER_PROXY_OIDC_CLIENT_SECRET: 'secret',
  });
  await proxy.addUser('anna');
  const browser = new FormBrowser(proxy.url);
  const page = await browser.open('/sign-in');
  t.match(page.text, `Continue with 127.0.0.1:${port}`);
  t.match(await browser.submit(page, '/providers/oidc/sign-in'), { status: 503, text: /cannot be reached/ });
  const inside = await browser.submit(page, '/sign-in', { name: 'anna', password: PASSWORD });
  t.match(inside.text, /Signed in as/);
});

t.test('wrong settings are named', async (t) => {
  const faults: [Record<string, string>, RegExp][] = [
    [{ GAMEKEEPER_PROXY_GITHUB_CLIENT_ID: 'x' }, /GAMEKEEPER_PROXY_GITHUB_CLIENT_SECRET is missing/],
    [{ GAMEKEEPER_PROXY_DISCORD_CLIENT_SECRET: 'x' }, /GAMEKEEPER_PROXY_DISCORD_CLIENT_ID is missing/],
    [{ GAMEKEEPER_PROXY_OIDC_ISSUER: 'https://x.example' }, /GAMEKEEPER_PROXY_OIDC_CLIENT_ID is missing/],
    [{ GAMEKEEPER_PROXY_SIGN_UP: 'all' }, /GAMEKEEPER_PROXY_SIGN_UP must be/],
  ];
  for (const [env, message] of faults) t.throws(() => readConfig(env, '/nowhere'), { message, exitCode: 2 });
});

t.test('a sign-in that began at a panel leads back to it, and nowhere else', async (t) => {
  const world = await startWorld(t, { GAMEKEEPER_PROXY_DAEMON_DOMAIN: 'panel.localhost' });
  const octo = await world.visitor('octo');
  await connect(world, await signedIn(world), octo);
  const panel = `/panel/${randomUUID()}?state=${'s'.repeat(43)}`;
  const landing = async (to?: string) => {
    const browser = new FormBrowser(world.proxy.url);
    const { url } = await world.allow(browser, octo, async () =>
      browser.submit(await browser.open(panel), '/providers/oidc/sign-in', to === undefined ? {} : { panel: to }),
    );
    return `${url.pathname}${url.search}`;
  };
  t.equal(await landing(), panel);
  for (const elsewhere of ['//evil.example/', 'https://evil.example/', '/panel/x', `${panel}&again=1`, '/sign-out'])
    t.equal(await landing(elsewhere), '/account', elsewhere);
});
