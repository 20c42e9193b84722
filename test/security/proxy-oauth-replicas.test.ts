/** The hosted proxy: what is used twice, or taken back, counts for two replicas as for one. */
import * as client from 'openid-client';
import t from 'tap';
import { askForTokens, codeRequest, redeem, refreshRequest } from '../support/proxy/token-requests.ts';
import { twoReplicas } from '../support/proxy/two-replicas.ts';

const MANY = 20;

t.test('two replicas', async (t) => {
  const both = await twoReplicas(t);
  if (!both) return;
  const { world, replicas } = both;
  const [here, there] = replicas;
  const attic = await world.link('anna');
  const browser = await world.browser('anna');
  const tokens = () => world.tokens(browser, [attic.daemonId]);
  /** Sends the same request many times at once, in turns to one and the other. */
  const race = (request: Record<string, string>) =>
    Promise.all(Array.from({ length: MANY }, (_, n) => askForTokens(world, request, replicas[n % 2])));
  /** The status of a request to the daemon, at each replica. It is not connected: 503 means that the token is good. */
  const statuses = (token = '') =>
    Promise.all(
      replicas.map(async ({ address }) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${address}/d/${attic.daemonId}/instances`, { headers })).status;
      }),
    );

  await t.test('accept one of many redemptions of a code at once', async (t) => {
    const answers = await race(await codeRequest(world, browser, attic.daemonId));
    t.equal(answers.filter(({ access_token: token }) => token !== undefined).length, 1);
    t.equal(answers.filter(({ error }) => error === 'invalid_grant').length, MANY - 1);
  });

  await t.test('accept one of many refreshes at once', async (t) => {
    const answers = await race(refreshRequest((await tokens()).refresh_token));
    t.equal(answers.filter(({ access_token: token }) => token !== undefined).length, 1);
    t.equal(answers.filter(({ error }) => error === 'invalid_grant').length, MANY - 1);
  });

  await t.test('notice that a code was redeemed at the other one, and end what came of it', async (t) => {
    const request = await codeRequest(world, browser, attic.daemonId);
    const first = await askForTokens(world, request, here);
    t.same(await statuses(first.access_token), [503, 503], 'both accept what one has issued');
    t.equal(await redeem(world, request, there), 'invalid_grant');
    t.same(await statuses(first.access_token), [401, 401]);
    t.equal(await redeem(world, refreshRequest(first.refresh_token), here), 'invalid_grant');
  });

  await t.test('notice that a refresh token was used at the other one, and end the grant', async (t) => {
    const first = await tokens();
    const second = await askForTokens(world, refreshRequest(first.refresh_token), there);
    t.same(await statuses(second.access_token), [503, 503]);
    t.equal(await redeem(world, refreshRequest(first.refresh_token), here), 'invalid_grant');
    t.equal(await redeem(world, refreshRequest(second.refresh_token), there), 'invalid_grant');
    t.same(await statuses(second.access_token), [401, 401]);
  });

  await t.test('refuse the tokens of a grant from the moment when it was taken back', async (t) => {
    const taken = await tokens();
    t.same(await statuses(taken.access_token), [503, 503], 'and remember the token as good');
    await client.tokenRevocation(world.program, taken.refresh_token ?? '');
    t.same(await statuses(taken.access_token), [401, 401]);
  });

  await t.test('redeem no code for another program, address or verifier at either', async (t) => {
    const { id, secret } = await world.register('Other');
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    for (const replica of replicas) {
      const request = await codeRequest(world, browser, attic.daemonId);
      t.equal(await redeem(world, { ...request, redirect_uri: 'http://127.0.0.1:9/other' }, replica), 'invalid_grant');
      t.equal(await redeem(world, { ...request, code_verifier: 'b'.repeat(43) }, replica), 'invalid_grant');
      t.equal(await redeem(world, request, { ...replica, authorization }), 'invalid_grant');
    }
  });
});
