/** Hostile values in every place of the hosted proxy that takes one: none is an internal error, with PostgreSQL, which refuses NUL in text. */
import t from 'tap';
import { until } from '../support/machine/until.ts';
import { startPostgres } from '../support/proxy/postgres.ts';
import { PASSWORD, startProxy } from '../support/proxy/proxy-process.ts';

const VALUES = [
  '',
  '\0',
  'a\0b',
  '%',
  '%00',
  '../..',
  "' OR 1=1 --",
  '\u202e',
  '\ud800',
  '💥',
  '[object Object]',
  '__proto__',
  'x'.repeat(5000),
];

t.test('no hostile value is an internal error', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const proxy = await startProxy(t, { DATABASE_URL: await postgres.database() });
  await proxy.addUser('anna');
  const signedIn = await fetch(`${proxy.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'anna', password: PASSWORD }),
    redirect: 'manual',
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1).join() ?? '';

  async function send(
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${proxy.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { cookie, ...headers },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    await response.arrayBuffer();
    t.ok(
      response.status < 500,
      `${method} ${path.slice(0, 60)} ${JSON.stringify(fields)?.slice(0, 60)}: ${response.status}`,
    );
  }

  for (const value of VALUES) {
    const part = encodeURIComponent(value.toWellFormed());
    await send('POST', '/sign-in', { name: value, password: value }, { cookie: '' });
    await send('POST', '/sign-in', { proof: value, code: value }, { cookie: '' });
    await send('POST', `/account/daemons/${part}/remove`, {});
    await send('POST', `/account/grants/${part}/revoke`, {});
    await send('POST', `/account/sessions/${part}/end`, {});
    await send('POST', '/account/password', { password: PASSWORD, newPassword: value });
    await send('POST', '/account/second-factor/confirm', { code: value });
    await send('GET', `/interaction/${part}`);
    await send('POST', `/interaction/${part}/consent`, { decision: value, daemon: value });
    await send(
      'GET',
      `/oauth/authorize?client_id=${part}&scope=${part}&resource=${part}&redirect_uri=${part}&response_type=code`,
    );
    await send('GET', `/oauth/authorize/${part}`);
    await send('POST', '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: value,
      client_id: value,
      resource: value,
    });
    await send('POST', '/oauth/token', {
      grant_type: 'authorization_code',
      code: value,
      client_id: 'gamekeeper-daemon',
    });
    await send(
      'POST',
      '/oauth/token',
      {},
      { authorization: `Basic ${Buffer.from(`${value}:${value}`).toString('base64')}` },
    );
    await send('POST', '/oauth/revoke', { token: value, client_id: value });
    await send('POST', '/oauth/device', { client_id: value, scope: value, resource: value });
    await send('GET', `/device?user_code=${part}`);
    await send('GET', `/device/${part}`);
    await send('DELETE', `/api/daemons/${part}`, undefined, { authorization: `Bearer ${part}` });
    await send('GET', '/api/daemons', undefined, { authorization: `Bearer ${part}` });
    await send('GET', '/account', undefined, { cookie: `gamekeeper_proxy=${part}; gamekeeper_oauth=${part}` });
    await send('GET', '/account', undefined, { 'user-agent': part });
  }
  // On a quick machine this address has used up its requests.
  const ready = await until('a request is allowed again', async () => {
    const response = await fetch(`${proxy.url}/readyz`);
    return response.status === 429 ? undefined : response;
  });
  t.equal(ready.status, 200);
  t.notMatch(proxy.output(), /"level":50/, 'nothing failed inside either');
});
