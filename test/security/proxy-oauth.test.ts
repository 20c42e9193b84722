/** The hosted proxy's OAuth 2.0 refuses what RFC 9700 warns of: replayed codes and tokens, weak PKCE, other addresses, clients and audiences. */
import { setTimeout as delay } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import t, { type Test } from 'tap';
import { CALLBACK, leaving, type OauthWorld, oauthWorld } from '../support/proxy/oauth-world.ts';
import { startPostgres } from '../support/proxy/postgres.ts';
import { askForTokens, codeRequest, redeem, refreshRequest } from '../support/proxy/token-requests.ts';

const MANY = 10;
/** Below the limit of an address. */
const MOST_REFRESHES = 150;

t.test('the proxy', async (t) => {
  const world = await oauthWorld(t);
  const { proxy, program } = world;
  const attic = await world.link('anna');
  const foreign = await world.link('ben', 'Office');
  const browser = await world.browser('anna');

  await t.test('accepts a code once, and its reuse ends the tokens that came of it', async (t) => {
    const request = await codeRequest(world, browser, attic.daemonId);
    const { refresh_token: refreshToken } = await askForTokens(world, request);
    t.equal(await redeem(world, request), 'invalid_grant');
    t.equal(await redeem(world, refreshRequest(refreshToken)), 'invalid_grant');
  });

  await t.test('accepts a refresh token once, and its reuse ends the grant', async (t) => {
    const first = await world.tokens(browser, [attic.daemonId]);
    const second = await client.refreshTokenGrant(program, first.refresh_token ?? '');
    t.equal(await redeem(world, refreshRequest(first.refresh_token)), 'invalid_grant');
    t.equal(await redeem(world, refreshRequest(second.refresh_token)), 'invalid_grant');
  });

  await t.test('limits how often the tokens of a grant are refreshed, and a refusal uses up none', async (t) => {
    let { refresh_token: token } = await world.tokens(browser, [attic.daemonId]);
    const other = await world.tokens(browser, [attic.daemonId]);
    const refresh = () =>
      fetch(`${proxy.url}/oauth/token`, {
        method: 'POST',
        headers: { authorization: world.authorization },
        body: new URLSearchParams(refreshRequest(token)),
      });
    let answer = await refresh();
    for (let count = 0; answer.status === 200 && count < MOST_REFRESHES; count++) {
      token = ((await answer.json()) as { refresh_token: string }).refresh_token;
      answer = await refresh();
    }
    t.equal(answer.status, 429);
    t.match(await answer.json(), { error: 'temporarily_unavailable', error_description: /wait/i });
    t.equal(answer.headers.get('retry-after'), '1');
    t.equal(await redeem(world, refreshRequest(other.refresh_token)), 'ok', 'another grant');
    await delay(1_000);
    t.equal((await refresh()).status, 200, 'the same token');
  });

  await t.test('requires PKCE with S256 of every program', async (t) => {
    const refusals: Record<string, Record<string, string>> = {
      missing: { code_challenge: '', code_challenge_method: '' },
      plain: { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
      'no method': { code_challenge_method: '' },
    };
    for (const [name, parameters] of Object.entries(refusals)) {
      const { url } = await world.begin();
      for (const [key, value] of Object.entries(parameters)) {
        if (value === '') url.searchParams.delete(key);
        else url.searchParams.set(key, value);
      }
      const callback = await leaving(() => browser.open(url));
      t.equal(callback.searchParams.get('error'), 'invalid_request', name);
      t.equal(callback.searchParams.get('code'), null, name);
    }
    const request = await codeRequest(world, browser, attic.daemonId);
    t.equal(await redeem(world, { ...request, code_verifier: 'b'.repeat(43) }), 'invalid_grant', 'wrong verifier');
    const { code_verifier: _left, ...without } = await codeRequest(world, browser, attic.daemonId);
    t.equal(await redeem(world, without), 'invalid_grant', 'no verifier');
  });

  await t.test('sends nobody to an address that is not registered', async (t) => {
    for (const address of [
      'https://evil.example/',
      `${CALLBACK}?a=b`,
      `${CALLBACK}/x`,
      'http://127.0.0.1:10/callback',
      `${CALLBACK}#x`,
    ]) {
      const page = await browser.open((await world.begin({ redirect_uri: address })).url);
      t.equal(page.status, 400, address);
      t.match(page.text, /Something is wrong with this link/);
    }
    const request = await codeRequest(world, browser, attic.daemonId);
    t.equal(await redeem(world, { ...request, redirect_uri: 'https://evil.example/' }), 'invalid_grant');
  });

  await t.test('gives a code only to the program that it was made for', async (t) => {
    const { id } = await world.register('Other', { isPublic: true });
    const request = await codeRequest(world, browser, attic.daemonId);
    const response = await fetch(`${proxy.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...request, client_id: id }),
    });
    t.match(await response.json(), { error: 'invalid_grant' });
    const basic = Buffer.from(`${program.clientMetadata().client_id}:wrong`).toString('base64');
    t.equal(await redeem(world, request, { authorization: `Basic ${basic}` }), 'invalid_client');
    t.equal(await redeem(world, request), 'ok', 'the right program');
  });

  await t.test("issues nothing for another account's server", async (t) => {
    const { url } = await world.begin({ resource: foreign.resource });
    const page = await browser.open(url);
    t.match(page.text, /You have no computer for this/);
    const forced = await browser.submit(page, '/consent', { daemon: foreign.daemonId, decision: 'allow' });
    t.equal(forced.status, 400);

    const { url: open } = await world.begin();
    const mixed = await browser.submit(await browser.open(open), '/consent', {
      daemon: foreign.daemonId,
      decision: 'allow',
    });
    t.equal(mixed.status, 400);
    const { refresh_token: token = '' } = await world.tokens(browser, [attic.daemonId]);
    t.equal(await redeem(world, refreshRequest(token, { resource: foreign.resource })), 'invalid_target');
  });

  await t.test('issues nothing for a server that was removed since', async (t) => {
    const shed = await world.link('anna', 'Shed');
    const tokens = await world.tokens(browser, [shed.daemonId]);
    await browser.submit(await browser.open('/account'), `/account/daemons/${shed.daemonId}/remove`);
    t.equal(await redeem(world, refreshRequest(tokens.refresh_token)), 'invalid_target');
  });

  await t.test('lets no program ask for the right to link computers', async (t) => {
    const { url } = await world.begin({ scope: 'daemon:link' });
    const page = await browser.open(url).catch((error) => error);
    t.notMatch(String(page.text ?? ''), /Link this computer/);
    const { access_token: token } = await world.tokens(browser, [attic.daemonId], { scope: 'servers:read' });
    t.equal(decodeJwt(token).aud, attic.resource);
    const response = await fetch(`${proxy.url}/api/daemons`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    t.equal(response.status, 401, 'a token for a server is none for the proxy');
  });

  await t.test("leaves another program's tokens alone", async (t) => {
    const { refresh_token: token = '' } = await world.tokens(browser, [attic.daemonId]);
    const { id } = await world.register('Other', { isPublic: true });
    await fetch(`${proxy.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token, client_id: id }) });
    t.equal(await redeem(world, refreshRequest(token)), 'ok');
  });
});

async function oneOfMany(t: Test, world: OauthWorld): Promise<void> {
  const attic = await world.link('anna');
  const browser = await world.browser('anna');

  await t.test('accepts one of many redemptions of a code at once', async (t) => {
    const request = await codeRequest(world, browser, attic.daemonId);
    const outcomes = await Promise.all(Array.from({ length: MANY }, () => redeem(world, request)));
    t.equal(outcomes.filter((outcome) => outcome === 'ok').length, 1, outcomes.join(' '));
    t.equal(outcomes.filter((outcome) => outcome === 'invalid_grant').length, MANY - 1);
  });

  await t.test('accepts one of many refreshes at once', async (t) => {
    const { refresh_token: refreshToken = '' } = await world.tokens(browser, [attic.daemonId]);
    const request = refreshRequest(refreshToken);
    const outcomes = await Promise.all(Array.from({ length: MANY }, () => redeem(world, request)));
    t.equal(outcomes.filter((outcome) => outcome === 'ok').length, 1, outcomes.join(' '));
  });
}

t.test('with the embedded database, the proxy', async (t) => oneOfMany(t, await oauthWorld(t)));

t.test('with PostgreSQL, where requests overlap, the proxy', async (t) => {
  const postgres = await startPostgres(t);
  if (postgres) await oneOfMany(t, await oauthWorld(t, { DATABASE_URL: await postgres.database() }));
});
