/** A third party's library goes through the code flow, refreshes and revokes, against the real proxy. */
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import t from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { FormBrowser } from '../../../support/proxy/form-browser.ts';
import { leaving, oauthWorld } from '../../../support/proxy/oauth-world.ts';
import { PASSWORD } from '../../../support/proxy/proxy-process.ts';

/** The error of openid-client for this error code. */
function refusal(error: string): Error & { error: string } {
  return Object.assign(new Error(), { name: 'ResponseBodyError', message: /./ as unknown as string, error });
}

t.test('a program gets tokens for the picked server, refreshes them and gives them back', async (t) => {
  const world = await oauthWorld(t);
  const { proxy, program } = world;
  const [attic, cellar] = [await world.link('anna', 'Attic'), await world.link('anna', 'Cellar')];
  const browser = await world.browser('anna');

  const { url, verifier, state } = await world.begin();
  const page = await browser.open(url);
  t.match(page.text, /Allow Bot\?/);
  t.match(page.text, /Create, restore and delete backups/, 'scopes are explained');
  t.match(page.text, /Attic.*Cellar/s, 'the servers are listed');
  t.notMatch(page.text, / checked/, 'with several computers none is picked in advance');
  const none = await browser.submit(page, '/consent', { decision: 'allow' });
  t.match(none, { status: 400, text: /Choose at least one computer/ });

  const callback = await leaving(() => browser.submit(none, '/consent', { daemon: attic.daemonId, decision: 'allow' }));
  t.equal(callback.searchParams.get('iss'), proxy.url, 'RFC 9207');
  const tokens = await client.authorizationCodeGrant(program, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });

  const { payload, protectedHeader } = await jwtVerify(
    tokens.access_token,
    createRemoteJWKSet(new URL(`${proxy.url}/oauth/jwks`)),
    {
      issuer: proxy.url,
      audience: attic.resource,
      typ: 'at+jwt',
      algorithms: ['ES256'],
    },
  );
  t.ok(protectedHeader.kid);
  t.equal(Number(payload.exp) - Number(payload.iat), 600);
  t.match(payload, { client_id: program.clientMetadata().client_id, grant_id: /./, jti: /./, sub: /./ });
  t.same(String(payload.scope).split(' ').sort(), [
    'backups:create',
    'logs:read',
    'servers:read',
    'servers:write',
    'tunnels:manage',
  ]);

  const fresh = await client.refreshTokenGrant(program, tokens.refresh_token ?? '');
  t.equal(decodeJwt(fresh.access_token).aud, attic.resource);
  t.equal(decodeJwt(fresh.access_token).grant_id, payload.grant_id);
  t.not(fresh.refresh_token, tokens.refresh_token, 'rotated');
  await t.rejects(
    client.refreshTokenGrant(program, fresh.refresh_token ?? '', { resource: cellar.resource }),
    refusal('invalid_target'),
    'the other server was not picked',
  );

  const account = await browser.open('/account');
  t.match(account.text, /<strong>Bot<\/strong> on Attic/);
  await client.tokenRevocation(program, fresh.refresh_token ?? '');
  await t.rejects(client.refreshTokenGrant(program, fresh.refresh_token ?? ''), refusal('invalid_grant'));
  t.notMatch((await browser.open('/account')).text, /<strong>Bot<\/strong>/);
});

t.test('with several servers, a program asks which, and gets a token for each', async (t) => {
  const world = await oauthWorld(t);
  const { program, proxy } = world;
  const daemons = [
    await world.link('anna', 'Attic'),
    await world.link('anna', 'Cellar'),
    await world.link('anna', 'Shed'),
  ];
  const browser = await world.browser('anna');
  const picked = daemons.slice(0, 2);
  const tokens = await world.tokens(
    browser,
    picked.map(({ daemonId }) => daemonId),
  );
  t.equal(decodeJwt(tokens.access_token).aud, `${proxy.url}/api`);

  const answer = await fetch(`${proxy.url}/api/daemons`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const listed = (await answer.json()) as { name: string; resource: string }[];
  t.same(
    listed.map(({ name }) => name),
    ['Attic', 'Cellar'],
  );
  let refreshToken = tokens.refresh_token ?? '';
  for (const { resource } of listed) {
    const fresh = await client.refreshTokenGrant(program, refreshToken, { resource });
    refreshToken = fresh.refresh_token ?? '';
    t.equal(decodeJwt(fresh.access_token).aud, resource);
  }
});

t.test('a program may name the server, and ask who the person is', async (t) => {
  const world = await oauthWorld(t);
  const [attic] = [await world.link('anna', 'Attic'), await world.link('anna', 'Cellar')];
  const browser = await world.browser('anna');
  const { url } = await world.begin({ resource: attic.resource });
  const page = await browser.open(url);
  t.match(page.text, /Attic/);
  t.notMatch(page.text, /Cellar/);

  const tokens = await world.tokens(browser, [attic.daemonId], {
    scope: 'openid servers:read',
    resource: attic.resource,
  });
  t.match(decodeJwt(String(tokens.id_token)), { preferred_username: 'anna', iss: world.proxy.url });
  t.match(decodeJwt(tokens.access_token), { aud: attic.resource, scope: 'servers:read' });
});

t.test('a person who is not signed in is asked to, and may refuse', async (t) => {
  const world = await oauthWorld(t);
  await world.link('anna');
  const browser = new FormBrowser(world.proxy.url);
  const { url, state } = await world.begin();
  const signIn = await browser.open(url);
  t.match(signIn.text, /to continue to <strong>Bot/);
  const wrong = await browser.submit(signIn, '/sign-in', { name: 'anna', password: 'wrong' });
  t.match(wrong, { status: 401, text: /Name or password is wrong/ });
  const page = await browser.submit(wrong, '/sign-in', { name: 'anna', password: PASSWORD });
  t.match(page.text, /Allow Bot\?/);
  const callback = await leaving(() => browser.submit(page, '/consent', { decision: 'deny' }));
  t.equal(callback.searchParams.get('error'), 'access_denied');
  t.equal(callback.searchParams.get('state'), state);

  await browser.post('/sign-out', {});
  t.match((await browser.open((await world.begin()).url)).text, /Sign in/, 'signing out ends it for programs as well');
});

t.test('prompt=login and max_age ask for the password again', async (t) => {
  const world = await oauthWorld(t);
  await world.link('anna');
  const browser = await world.browser('anna');
  t.match((await browser.open((await world.begin()).url)).text, /Allow Bot/);
  t.match((await browser.open((await world.begin({ prompt: 'login' })).url)).text, /name="password"/);
  t.match((await browser.open((await world.begin({ scope: 'openid', max_age: '0' })).url)).text, /name="password"/);
  const silent = await leaving(async () => browser.open((await world.begin({ prompt: 'none' })).url));
  t.equal(silent.searchParams.get('error'), 'consent_required');
});

t.test('prompt=none gets what this browser has allowed the program before, without a page', async (t) => {
  const world = await oauthWorld(t);
  const { program, proxy } = world;
  const [attic, cellar, shed] = [
    await world.link('anna', 'Attic'),
    await world.link('anna', 'Cellar'),
    await world.link('anna', 'Shed'),
  ];
  const browser = await world.browser('anna');
  const silently = async (parameters: Record<string, string>, from = browser) => {
    const begun = await world.begin({ scope: 'servers:read', prompt: 'none', ...parameters });
    return { ...begun, callback: await leaving(() => from.open(begun.url)) };
  };
  const refused = async (parameters: Record<string, string>, from = browser) =>
    (await silently(parameters, from)).callback.searchParams.get('error');
  t.equal(await refused({ resource: attic.resource }), 'login_required', 'no program was let in here yet');

  const tokens = await world.tokens(browser, [attic.daemonId, cellar.daemonId], { scope: 'servers:read logs:read' });
  const { callback, verifier, state } = await silently({ resource: attic.resource });
  const again = await client.authorizationCodeGrant(program, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const grantId = decodeJwt(tokens.access_token).grant_id;
  t.match(decodeJwt(again.access_token), { aud: attic.resource, scope: 'servers:read', grant_id: grantId });

  t.equal(await refused({}), 'consent_required', 'without a page nobody can pick a computer');
  t.equal(await refused({ resource: shed.resource }), 'consent_required', 'another computer');
  t.equal(await refused({ resource: attic.resource, scope: 'servers:write' }), 'consent_required', 'another scope');
  t.match(
    (await browser.open((await world.begin({ resource: attic.resource })).url)).text,
    /Allow Bot\?/,
    'else it asks',
  );
  t.equal(
    await refused({ resource: attic.resource }, await world.browser('anna')),
    'login_required',
    'another browser',
  );
  t.equal(await refused({ resource: attic.resource }, new FormBrowser(proxy.url)), 'login_required');

  const both = await world.begin({ scope: 'servers:read', prompt: 'none' });
  for (const { resource } of [attic, cellar]) both.url.searchParams.append('resource', resource);
  const left = await leaving(() => browser.open(both.url));
  const checks = { pkceCodeVerifier: both.verifier, expectedState: both.state };
  t.equal(decodeJwt((await client.authorizationCodeGrant(program, left, checks)).access_token).aud, attic.resource);

  await browser.submit(await browser.open('/account'), `/account/grants/${String(grantId)}/revoke`);
  t.equal(await refused({ resource: attic.resource }), 'consent_required', 'taken back');
});

t.test('prompt=none never lets in a program that another on the same machine could pretend to be', async (t) => {
  const world = await oauthWorld(t);
  const attic = await world.link('anna');
  const browser = await world.browser('anna');
  const { id } = await world.register('Desktop', { isPublic: true });
  const asNative = { client_id: id, resource: attic.resource, scope: 'servers:read' };
  t.ok((await world.consent(browser, (await world.begin(asNative)).url, [attic.daemonId])).searchParams.get('code'));
  const callback = await leaving(async () => browser.open((await world.begin({ ...asNative, prompt: 'none' })).url));
  t.equal(callback.searchParams.get('error'), 'interaction_required', 'RFC 8252, section 8.6');
});

t.test('taking access back on the account page ends it at once', async (t) => {
  const world = await oauthWorld(t);
  const attic = await world.link('anna');
  const browser = await world.browser('anna');
  const tokens = await world.tokens(browser, [attic.daemonId], { scope: 'servers:read' });
  const grantId = String(decodeJwt(tokens.access_token).grant_id);

  const stranger = await world.browser('ben');
  await stranger.post(`/account/grants/${grantId}/revoke`, {});
  const fresh = await client.refreshTokenGrant(world.program, tokens.refresh_token ?? '');
  t.ok(fresh.access_token, "another account's button does nothing");

  await browser.submit(await browser.open('/account'), `/account/grants/${grantId}/revoke`);
  await t.rejects(client.refreshTokenGrant(world.program, fresh.refresh_token ?? ''), refusal('invalid_grant'));
});

t.test('tokens survive a restart of the proxy', async (t) => {
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_PORT: String(await freePort()) });
  const attic = await world.link('anna');
  const browser = await world.browser('anna');
  const tokens = await world.tokens(browser, [attic.daemonId]);
  await world.proxy.end('SIGKILL');
  await world.proxy.start();
  await jwtVerify(tokens.access_token, createRemoteJWKSet(new URL(`${world.proxy.url}/oauth/jwks`)));
  t.ok((await client.refreshTokenGrant(world.program, tokens.refresh_token ?? '')).access_token);
  t.match((await browser.open('/account')).text, /Attic/, 'the browser is still signed in');
});
