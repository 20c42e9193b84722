/** Somebody registers a program of their own, others let it in, and it is removed. */
import * as client from 'openid-client';
import t from 'tap';
import { CALLBACK, oauthWorld } from '../../../../support/proxy/oauth-world.ts';

const PATH = '/account/programs';

t.test('a program of somebody else is let in, and ends when it is removed', async (t) => {
  const world = await oauthWorld(t);
  const { url } = world.proxy;
  const [anna, ben] = [await world.browser('anna'), await world.browser('ben')];
  const register = async (name: string, redirectUris: string, kind = 'confidential') =>
    ben.submit(await ben.open(PATH), PATH, { name, redirectUris, kind });

  const refused = await register('<b>Bot</b>', 'http://bot.example/');
  t.equal(refused.status, 400);
  t.match(refused.text, /cannot be a redirect URI. Use an https URL/);
  t.match(refused.text, 'value="&#60;b&#62;Bot', 'what was typed is still there');
  const shown = await register('Map', `${CALLBACK}\r\nhttps://map.example/callback\r\n`);
  t.equal(shown.status, 201);
  const [, id = ''] = /Client ID: <code>([\w-]{16})</.exec(shown.text) ?? [];
  const [, secret = ''] = /only now: <code>([\w-]{43})</.exec(shown.text) ?? [];
  t.notMatch((await ben.open(PATH)).text, secret, 'it is shown once');
  t.match((await register('App', 'com.example.app:/callback', 'public')).text, /It has no secret/);
  t.notMatch((await anna.open(PATH)).text, /Map/, 'others do not see it');

  const program = await client.discovery(new URL(url), id, undefined, client.ClientSecretBasic(secret), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
  const { daemonId } = await world.link('anna');
  const verifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(program, {
    redirect_uri: CALLBACK,
    scope: 'servers:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  t.match((await anna.open(address)).text, /<strong>ben<\/strong> has registered this program.*<strong>127.0.0.1:9</s);
  const own = await ben.open(address);
  t.match(own.text, /You have registered this program yourself/);
  const { url: bots } = await world.begin();
  t.notMatch((await anna.open(bots)).text, /registered this program/, 'one of the operator');
  const callback = await world.consent(anna, address, [daemonId]);
  const tokens = await client.authorizationCodeGrant(program, callback, { pkceCodeVerifier: verifier });
  const ask = async () =>
    (await fetch(`${url}/d/${daemonId}/instances`, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
      .status;
  t.equal(await ask(), 503, 'it may, but the computer is not connected');

  const question = `${PATH}/${id}/remove`;
  await anna.post(question, {});
  t.equal(await ask(), 503, 'nobody else can remove it');
  const asked = await ben.open(question);
  t.match(asked.text, /Remove Map\?/);
  t.notMatch((await ben.submit(asked, question)).text, /Map/);
  t.equal(await ask(), 401);
  const renewed = await client.refreshTokenGrant(program, tokens.refresh_token ?? '').catch((error: unknown) => error);
  t.match(renewed, { status: 401 }, 'the program is unknown');
  t.match((await ben.open('/account')).text, /Program removed/);

  const list = async () => (await world.proxy.command(['client', 'list'])).stdout;
  t.match(await list(), /by ben {2}com.example.app:/);
  t.match(await list(), /by you/);
  const [{ id: last }] = JSON.parse((await world.proxy.command(['client', 'list', '--json'])).stdout);
  t.match(await world.proxy.command(['client', 'remove', last]), { code: 0 });
  t.match(await world.proxy.command(['client', 'remove', last]), { code: 1, stderr: /There is no program/ });
});
