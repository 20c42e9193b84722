/** `gamekeeper link` as the proxy sees it: the device flow in a browser, and the daemon's registration. */
import * as client from 'openid-client';
import t, { type Test } from 'tap';
import { createDaemonKey, linkToken } from '../../../support/link/daemon-key.ts';
import { FormBrowser } from '../../../support/proxy/form-browser.ts';
import { oauthWorld } from '../../../support/proxy/oauth-world.ts';
import { PASSWORD } from '../../../support/proxy/proxy-process.ts';

async function linking(t: Test) {
  const world = await oauthWorld(t);
  const program = await client.discovery(new URL(world.proxy.url), 'gamekeeper-daemon', undefined, client.None(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
  const begin = () => client.initiateDeviceAuthorization(program, { scope: 'daemon:link' });
  type Started = Awaited<ReturnType<typeof begin>>;
  const poll = (started: Started) => client.pollDeviceAuthorizationGrant(program, { ...started, interval: 0.1 });
  return { ...world, begin, poll };
}

t.test('a person approves the code in the browser', async (t) => {
  const { proxy, begin, poll } = await linking(t);
  const started = await begin();
  t.match(started.user_code, /^[A-Z]{4}-[A-Z]{4}$/);
  t.equal(started.verification_uri, `${proxy.url}/device`);

  const browser = new FormBrowser(proxy.url);
  const code = await browser.open(started.verification_uri_complete ?? '');
  t.match(code.text, new RegExp(`value="${started.user_code}"`), 'the code is filled in, but not sent');
  const signIn = await browser.submit(code, '/device', { user_code: started.user_code.toLowerCase() });
  const consent = await browser.submit(signIn, '/sign-in', { name: 'anna', password: PASSWORD });
  t.match(consent.text, /Link this computer\?.*account, <strong>anna/s);
  const done = await browser.submit(consent, '/consent', { decision: 'allow' });
  t.match(done.text, /You can close this page/);

  const { access_token: token, refresh_token: refreshToken } = await poll(started);
  t.equal(refreshToken, undefined, 'linking happens once');
  const key = await createDaemonKey();
  const { daemonId, publicKey } = key;
  const register = async (body: object) =>
    fetch(`${proxy.url}/api/daemons`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ proof: await linkToken(key, proxy.url), ...body }),
    });
  const daemon = { daemonId, name: 'Attic', publicKey, scopes: ['servers:read'] };
  const first = await register(daemon);
  t.equal(first.status, 201);
  t.match(await first.json(), {
    daemonId,
    resource: `urn:uuid:${daemonId}`,
    issuer: proxy.url,
    jwksUri: `${proxy.url}/oauth/jwks`,
    account: 'anna',
    accountId: /^[0-9a-f-]{36}$/,
  });
  t.equal((await register(daemon)).status, 200);
  t.match((await browser.open('/account')).text, /Attic/);

  const wrong: Record<string, object> = {
    'no id': { ...daemon, daemonId: undefined },
    'an id that is no UUID': { ...daemon, daemonId: 'x' },
    'an RSA key': { ...daemon, publicKey: { kty: 'RSA', n: 'x', e: 'AQAB' } },
    'a private key': { ...daemon, publicKey: { ...publicKey, d: 'secret' } },
    'an unknown scope': { ...daemon, scopes: ['servers:own'] },
    'a name of two lines': { ...daemon, name: 'a\nb' },
    'unknown members': { ...daemon, account: 'ben' },
  };
  const stranger = { ...(await createDaemonKey()), daemonId };
  for (const [name, proof] of Object.entries({
    'another key': await linkToken(stranger, proxy.url),
    'another proxy': await linkToken(key, 'https://other.example'),
    'no token': 'x',
  }))
    t.equal((await register({ ...daemon, proof })).status, 401, `a proof by ${name}`);
  const spent = await linkToken(key, proxy.url);
  t.equal((await register({ ...daemon, proof: spent })).status, 200);
  t.equal((await register({ ...daemon, proof: spent })).status, 401, 'a proof that was used');
  for (const [name, body] of Object.entries(wrong)) {
    const answer = await register(body);
    t.equal(answer.status, 400, name);
    t.equal(answer.headers.get('content-type'), 'application/problem+json');
    t.match(await answer.json(), { code: 'invalid_request', detail: /^Body: / }, name);
  }
});

t.test('a refused, wrong or used code links nothing', async (t) => {
  const { proxy, begin, poll, browser: signedIn } = await linking(t);
  const browser = await signedIn('anna');
  const enter = async (code: string) => browser.submit(await browser.open('/device'), '/device', { user_code: code });

  t.match((await enter('AAAA-BBBB')).text, /This code is not right/);
  t.match((await enter('')).text, /Enter the code/);
  const started = await begin();
  const refused = await browser.submit(await enter(started.user_code), '/consent', { decision: 'deny' });
  t.match(refused.text, /nothing was linked/);
  await t.rejects(
    poll(started),
    Object.assign(new Error(), {
      error: 'access_denied',
      message: /./ as unknown as string,
      name: /./ as unknown as string,
    }),
  );
  t.match((await enter(started.user_code)).text, /already used/);
  t.match(await proxy.command(['approve', started.user_code, '--user', 'anna']), { code: 1, stderr: /already used/ });
  t.match(await proxy.command(['approve', 'AAAA-BBBB', '--user', 'anna']), { code: 1, stderr: /no code/ });
  t.match(await proxy.command(['approve', (await begin()).user_code, '--user', 'nobody']), {
    code: 1,
    stderr: /no account/,
  });
});

t.test('codes cannot be tried out', async (t) => {
  const { browser: signedIn } = await linking(t);
  const browser = await signedIn('anna');
  const page = await browser.open('/device');
  const statuses: number[] = [];
  for (let count = 0; count < 25; count++)
    statuses.push((await browser.submit(page, '/device', { user_code: 'AAAA-BBBB' })).status);
  t.equal(statuses.at(-1), 429);
  t.equal(statuses[0], 200);
});

t.test('a daemon unlinks itself with its own key, and nobody else with theirs', async (t) => {
  const world = await oauthWorld(t);
  const [attic, office] = [await world.link('anna'), await world.link('ben', 'Office')];
  const remove = async (daemonId: string, token: string) =>
    (
      await fetch(`${world.proxy.url}/api/daemons/${daemonId}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  t.equal(await remove(attic.daemonId, await office.token()), 401);
  t.equal(await remove(attic.daemonId, await office.token({ iss: attic.daemonId, sub: attic.daemonId })), 401);
  t.equal(await remove(attic.daemonId, ''), 401);
  const token = await attic.token();
  t.equal(await remove(attic.daemonId, token), 204);
  t.equal(await remove(attic.daemonId, token), 401, 'it is gone');
  t.match((await (await world.browser('ben')).open('/account')).text, /Office/);
});
