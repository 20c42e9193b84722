import t from 'tap';
import { isProblem } from '../../support/http/problem.ts';
import { build } from '../../support/processes/gateway-app.ts';

t.test('only the credential over its limit gets 429 with Retry-After, and health and metrics never', async (t) => {
  const { app, bearer } = await build(t, { settings: { limits: { requestsPerSecond: 1, burst: 3 } } });
  const [mine, other] = [await bearer(), await bearer()];
  for (let n = 0; n < 3; n++) t.equal((await app.inject({ url: '/instances', headers: mine })).statusCode, 200);
  const refused = await app.inject({ url: '/instances', headers: mine });
  isProblem(t, refused, 'rate_limited');
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/);
  t.equal((await app.inject({ url: '/instances', headers: other })).statusCode, 200);
  for (let n = 0; n < 5; n++) {
    t.equal((await app.inject('/health')).statusCode, 200);
    t.equal((await app.inject('/metrics')).statusCode, 200);
  }
  for (let n = 0; n < 3; n++) isProblem(t, await app.inject('/instances'), 'unauthenticated');
  isProblem(t, await app.inject('/instances'), 'rate_limited', 'strangers count by address');
});

t.test('invented cookies are rate-limited before the daemon is asked', async (t) => {
  const { app, daemon } = await build(t, { settings: { limits: { requestsPerSecond: 1, burst: 3 } } });
  let asked = 0;
  const { session } = daemon;
  daemon.session = (tokenHash) => {
    asked++;
    return session(tokenHash);
  };
  const answers = [];
  for (let n = 0; n < 10; n++) {
    const headers = { cookie: `RemoteCookies=${'x'.repeat(42)}${n}` };
    answers.push((await app.inject({ url: '/instances', headers })).statusCode);
  }
  t.same(answers, [401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
  t.equal(asked, 3);
});
