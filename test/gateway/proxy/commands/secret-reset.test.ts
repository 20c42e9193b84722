/** `gamekeeper proxy secret reset`: a proxy goes on without what its former secret has encrypted. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { oauthWorld } from '../../../support/proxy/oauth-world.ts';
import { redeem, refreshRequest } from '../../../support/proxy/token-requests.ts';

t.test('accounts and computers stay; sessions, programs and tokens end', async (t) => {
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_PORT: String(await freePort()) });
  const { proxy } = world;
  const attic = await world.link('anna');
  const browser = await world.browser('anna');
  const { refresh_token: refreshToken } = await world.tokens(browser, [attic.daemonId]);
  const reset = (...options: string[]) => proxy.command(['secret', 'reset', ...options]);
  t.match(await reset('--yes'), { code: 1, stderr: /already runs/ }, 'not while it runs');
  await proxy.end();
  t.match(await reset(), { code: 2, stderr: /Add --yes/ });

  const keyFile = path.join(proxy.home, 'proxy.key');
  const before = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);
  t.match(await proxy.command([]), { code: 1, stderr: /encrypted with another secret.*If it is lost/s });
  t.match(await reset('--yes'), { code: 0, stdout: /linked computers stay/ });
  t.not(readFileSync(keyFile, 'utf8'), before);

  await proxy.start();
  t.match((await browser.open('/account')).text, /name="password"/, 'signed out');
  t.equal(await redeem(world, refreshRequest(refreshToken)), 'invalid_client');
  const again = await world.browser('anna');
  t.match((await again.open('/account')).text, /Attic/);
  const other = await world.register('Other');
  const authorization = `Basic ${Buffer.from(`${other.id}:${other.secret}`).toString('base64')}`;
  t.equal(await redeem(world, refreshRequest(refreshToken), { authorization }), 'invalid_grant');
  const removed = await fetch(`${proxy.url}/api/daemons/${attic.daemonId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${await attic.token()}` },
  });
  t.equal(removed.status, 204, "the computer's own key is still known");
});
