/**
 * No operation lets a user do indirectly what the role does not allow (CVE-2026-86177 of the Panel: schedules ran console and power commands
 * without those permissions): every operation that changes anything, tried by viewers, read-only tokens and operators, on themselves and
 * on others.
 */
import t from 'tap';
import { type SignedInUser, session, signedInAdmin, signedInUser } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; security?: { OAuth2?: string[] }[] }>>;
}

const gamekeeper = await startGamekeeper(t, { settings: { limits: { requestsPerSecond: 1e5, burst: 1e5 } } });
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
const viewer = await signedInUser(gamekeeper, { username: 'viewer', role: 'viewer' });
const operator = await signedInUser(gamekeeper, { username: 'operator', role: 'operator' });
const admin = await signedInAdmin(gamekeeper);

/** Operations that every user may call for themselves. */
const OWN = ['login', 'logout', 'changePassword', 'setPassword', 'totp', 'recovery', 'session', 'ticket', 'sshKey'];

t.test('viewers and read-only tokens cannot change anything', async (t) => {
  const readers = {
    viewer: viewer.headers,
    token: { authorization: `Bearer ${await gamekeeper.token({ scopes: ['servers:read', 'logs:read'] })}` },
  };
  const { body: document } = await gamekeeper.api<Document>('GET', '/openapi.json');
  const before = await state();
  let tried = 0;
  for (const [template, methods] of Object.entries(document.paths)) {
    if (template.startsWith('/api/v1')) continue;
    for (const [method, { operationId }] of Object.entries(methods)) {
      if (method === 'get' || OWN.some((own) => operationId.toLowerCase().includes(own.toLowerCase()))) continue;
      const where = template
        .replace('{id}', 'demo')
        .replace('{username}', 'operator')
        .replace(/\{\w+\}/g, 'any');
      for (const [who, headers] of Object.entries(readers)) {
        tried++;
        const answer = await gamekeeper.api<{ code: string }>(method.toUpperCase(), where, {}, headers);
        // The body is validated only if the caller may act.
        t.ok([403].includes(answer.status), `${who}: ${method} ${where}: ${answer.status} ${answer.body?.code}`);
      }
    }
  }
  t.ok(tried > 40, `${tried} operations were tried`);
  t.same(await state(), before);
});

t.test('a viewer cannot change schedules', async (t) => {
  const { body: document } = await gamekeeper.api<Document>('GET', '/openapi.json');
  const writes = Object.entries(document.paths).filter(
    ([where, methods]) => where.includes('/schedules') && methods.put,
  );
  for (const [where] of writes.filter(([where]) => !where.startsWith('/api/v1'))) {
    const answer = await viewer.api('PUT', where.replace('{id}', 'demo'), {});
    t.equal(answer.status, 403, where);
  }
});

t.test('operators and viewers cannot change users, tokens, settings or servers', async (t) => {
  const attempts: [who: SignedInUser, method: string, path: string, body?: object][] = [];
  for (const who of [operator, viewer]) {
    for (const username of [who.username, 'admin', 'nobody', who.username.toUpperCase(), '%61dmin']) {
      attempts.push([who, 'PATCH', `/api/users/${username}`, { role: 'admin' }]);
      attempts.push([who, 'PATCH', `/api/users/${username}`, { password: 'one that I know' }]);
      attempts.push([who, 'PATCH', `/api/users/${username}`, { instances: ['*'] }]);
      attempts.push([who, 'PATCH', `/api/users/${username}`, { totp: false }]);
      attempts.push([who, 'DELETE', `/api/users/${username}`]);
      attempts.push([who, 'GET', `/api/users/${username}`]);
    }
    attempts.push([who, 'POST', '/api/users', { username: 'mine', role: 'admin', password: 'one that I know' }]);
    attempts.push([who, 'POST', '/api/tokens', { name: 'mine' }]);
    attempts.push([who, 'GET', '/api/tokens']);
    attempts.push([who, 'GET', '/api/audit']);
    attempts.push([who, 'GET', '/api/settings']);
    attempts.push([who, 'PUT', '/api/settings', { remoteControl: { allowedHosts: ['*'] } }]);
    attempts.push([who, 'POST', '/instances', { name: 'Mine', software: 'demo' }]);
    attempts.push([who, 'DELETE', '/instances/demo']);
    attempts.push([who, 'PATCH', '/instances/demo', { memoryMb: 4096 }]);
    attempts.push([who, 'PUT', '/instances/demo/properties', { properties: { motd: 'mine' } }]);
  }
  for (const [who, method, where, body] of attempts)
    t.equal((await who.api(method, where, body)).status, 403, `${who.username}: ${method} ${where}`);
});

t.test('operators cannot decide what runs on the host', async (t) => {
  const attempts: [method: string, path: string, body?: object][] = [
    ['POST', '/instances/demo/mods', { project: 'mine' }],
    ['POST', '/instances/demo/mods/update', {}],
    ['DELETE', '/instances/demo/mods/mine'],
    ['POST', '/runtimes/21/update'],
    ['DELETE', '/runtimes/21'],
    ['DELETE', '/runtimes'],
  ];
  const granted = await signedInUser(gamekeeper, { username: 'granted', role: 'operator', instances: ['demo'] });
  for (const who of [operator, granted])
    for (const [method, where, body] of attempts)
      t.equal((await who.api(method, where, body)).status, 403, `${who.username}: ${method} ${where}`);
});

t.test('additional fields in bodies are refused', async (t) => {
  const change = { currentPassword: viewer.password, newPassword: 'one that is new' };
  t.equal((await viewer.api('PUT', '/api/password', { ...change, role: 'admin' })).status, 400);
  t.equal((await viewer.api('PUT', '/api/password', { ...change, username: 'admin' })).status, 400);
  const polluted = JSON.parse('{"__proto__": {"role": "admin"}, "constructor": {"prototype": {"role": "admin"}}}');
  t.equal((await viewer.api('PUT', '/api/password', { ...change, ...polluted })).status, 400);
  t.match((await viewer.api('GET', '/api/session')).body, { role: 'viewer' });
  await t.rejects(session(gamekeeper, 'viewer', 'one that is new'));
});

t.test('the last administrator cannot be removed, disabled or demoted', async (t) => {
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { role: 'viewer' }],
    ['PATCH', { disabled: true }],
  ] as const)
    t.ok([400, 409].includes((await admin.api(method, '/api/users/admin', body)).status), method);
});

async function state(): Promise<unknown> {
  const users = await admin.api('GET', '/api/users');
  const instance = await admin.api('GET', '/instances/demo');
  const settings = await admin.api('GET', '/api/settings');
  return [users.body, instance.body, settings.body];
}
