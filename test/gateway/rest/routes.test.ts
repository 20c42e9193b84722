/** Each resource operation in both families: success, 401, 403 and 404. */
import t from 'tap';
import { SCOPES, type Scope } from '../../../shared/domain/access/scope.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { isProblem } from '../../support/http/problem.ts';
import { build, type World } from '../../support/processes/gateway-app.ts';
import { BACKUP_ID, backupOf } from '../../support/stand-ins/stand-in-jobs.ts';

interface Case {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  scope: Scope;
  status?: number;
  body?: object;
  answer?: unknown;
  /** Replaces a part of the path, so that the resource does not exist. */
  missing?: { path: string; code: ErrorCode };
  prepare?: (world: World) => void | Promise<void>;
}

const noInstance = (path: string) => ({ path: path.replace('/demo', '/none'), code: 'instance_not_found' as const });
const withBackup = ({ jobs }: World) => void jobs.catalogue.set(BACKUP_ID, backupOf('demo'));
const running = ({ supervisor }: World) => {
  supervisor.runtime = { phase: 'running' };
};

const ofInstance = (
  method: Case['method'],
  path: string,
  scope: Scope,
  rest: Omit<Case, 'method' | 'path' | 'scope'> = {},
): Case => ({ method, path, scope, missing: noInstance(path), ...rest });
const ofBackup = (method: Case['method'], suffix: string, rest: Partial<Omit<Case, 'method' | 'path'>> = {}): Case => {
  const path = `/instances/demo/backups/${BACKUP_ID}${suffix}`;
  const missing = { path: path.replace('4f9c2a', '000000'), code: 'backup_not_found' as const };
  return { method, path, scope: 'backups:create', missing, prepare: withBackup, ...rest };
};

const CASES: Case[] = [
  {
    method: 'GET',
    path: '/instances',
    scope: 'servers:read',
    answer: [{ id: 'demo', status: 'stopped', phase: 'stopped' }],
  },
  {
    method: 'POST',
    path: '/instances',
    scope: 'servers:write',
    status: 201,
    body: { name: 'New One', software: 'demo' },
    answer: { id: 'new-one' },
  },
  ofInstance('GET', '/instances/demo', 'servers:read', { answer: { id: 'demo', name: 'Demo', port: 25_565 } }),
  ofInstance('PATCH', '/instances/demo', 'servers:write', {
    body: { name: 'Other' },
    answer: { id: 'demo', name: 'Other' },
  }),
  ofInstance('DELETE', '/instances/demo', 'servers:write', { status: 204 }),
  ofInstance('GET', '/instances/demo/export', 'servers:write'),
  ofInstance('POST', '/instances/demo/clone', 'servers:write', {
    body: { name: 'Copy' },
    status: 201,
    answer: { id: 'demo', status: 'stopped' },
  }),
  ofInstance('POST', '/instances/demo/start', 'servers:write', {
    answer: { success: true, message: '"Demo" is starting.' },
  }),
  ofInstance('POST', '/instances/demo/stop', 'servers:write', {
    prepare: running,
    answer: { success: true, message: '"Demo" is stopping.' },
  }),
  ofInstance('POST', '/instances/demo/restart', 'servers:write', {
    answer: { success: true, message: '"Demo" is restarting.' },
  }),
  ofInstance('POST', '/instances/demo/kill', 'servers:write', {
    answer: { success: true, message: '"Demo" is being killed.' },
  }),
  ofInstance('GET', '/instances/demo/logs', 'logs:read', {
    prepare: ({ supervisor }) => supervisor.print('one', 'two'),
    answer: { lines: ['one', 'two'] },
  }),
  ofInstance('GET', '/instances/demo/crashes', 'logs:read', {
    answer: { crashes: [{ reason: 'It crashed.', lines: ['oops'] }] },
  }),
  ofInstance('POST', '/instances/demo/commands', 'servers:write', {
    body: { command: 'list' },
    answer: { output: 'ran list' },
  }),
  ofInstance('GET', '/instances/demo/players', 'servers:read', { answer: [] }),
  ...(['bans', 'operators', 'allowlist'] as const).map((list) =>
    ofInstance('GET', `/instances/demo/players/${list}`, 'servers:read', { answer: [{ name: `somebody of ${list}` }] }),
  ),
  ofInstance('POST', '/instances/demo/players/allowlist', 'servers:write', {
    body: { names: ['Alice', 'Nobody'] },
    answer: { added: ['Alice'], failed: [{ name: 'Nobody', detail: 'No player was found' }] },
  }),
  ofInstance('GET', '/instances/demo/players/seen', 'servers:read', {
    answer: [{ name: 'Alice', playSeconds: 60, online: false }],
  }),
  ...(['kick', 'ban', 'pardon', 'deop', 'whitelist', 'unwhitelist'] as const).map((action) =>
    ofInstance('POST', `/instances/demo/players/Alice/${action}`, 'servers:write', {
      answer: { success: true, message: `${action} done` },
    }),
  ),
  ofInstance('POST', '/instances/demo/players/Alice/op', 'servers:write', {
    answer: { success: true, message: 'The server accepted the command, but did not report whether it worked.' },
  }),
  ofInstance('GET', '/instances/demo/properties', 'servers:read', {
    answer: { properties: { 'server-port': '25565' } },
  }),
  ofInstance('PUT', '/instances/demo/properties', 'servers:write', {
    body: { properties: { motd: 'hi' } },
    answer: { properties: { 'server-port': '25565', motd: 'hi' } },
  }),
  ofInstance('POST', '/instances/demo/backup', 'backups:create', {
    answer: { backupId: BACKUP_ID, sha256: /^b{64}$/, cloudStatus: 'not_configured' },
  }),
  ofInstance('GET', '/instances/demo/backups', 'backups:create', {
    prepare: withBackup,
    answer: [{ backupId: BACKUP_ID }],
  }),
  ofInstance('GET', '/instances/demo/backups/retention', 'backups:create', { answer: {} }),
  ofBackup('GET', '', { answer: { backupId: BACKUP_ID, quiesced: true } }),
  ofBackup('PATCH', '', { body: { pinned: true }, answer: { pinned: true } }),
  ofBackup('DELETE', '', { status: 204 }),
  ofBackup('GET', '/archive', { scope: 'servers:write' }),
  ofBackup('POST', '/restore', { answer: { success: true, message: `"Demo" was restored from ${BACKUP_ID}.` } }),
  ofBackup('POST', '/verify', { answer: { ok: true, replicas: [] } }),
  ofBackup('POST', '/drill', { answer: { ok: true, durationMs: 9 } }),
  ofBackup('POST', '/replicate', { answer: { cloudStatus: 'pending', replicas: [{ store: 'nas' }] } }),
  ofInstance('GET', '/instances/demo/schedules', 'servers:read', { answer: { schedules: [] } }),
  ofInstance('PUT', '/instances/demo/schedules', 'servers:write', {
    body: { schedules: [{ name: 'Nightly', cron: '0 4 * * *', action: { type: 'restart' } }] },
    answer: { schedules: [{ name: 'Nightly', enabled: true, action: { announce: { secondsBefore: [300, 60, 10] } } }] },
  }),
  ofInstance('GET', '/instances/demo/schedules/history', 'servers:read', {
    answer: { runs: [{ scheduleId: 'nightly', result: 'done', backupId: BACKUP_ID }] },
  }),
  ofInstance('GET', '/instances/demo/mods', 'servers:read', {
    answer: { folder: 'mods', mods: [{ slug: 'lithium' }] },
  }),
  ofInstance('GET', '/instances/demo/mods/search?query=fast&limit=5', 'servers:read', {
    answer: { hits: [{ slug: 'lithium', description: 'fast' }], offset: 0, limit: 5, total: 1 },
  }),
  ofInstance('POST', '/instances/demo/mods', 'servers:write', {
    body: { project: 'lithium' },
    answer: { state: 'done', changes: [{ action: 'install', name: 'Lithium' }] },
  }),
  ofInstance('POST', '/instances/demo/mods/update', 'servers:write', { body: { dryRun: true }, answer: { notes: [] } }),
  ofInstance('DELETE', '/instances/demo/mods/lithium?force=true', 'servers:write', {
    missing: { path: '/instances/demo/mods/none', code: 'mod_not_found' },
    answer: { state: 'done' },
  }),
  ofInstance('GET', '/instances/demo/tunnel', 'tunnels:manage', {
    answer: { enabled: false, tunnelAddress: '', numericAddress: '', pingMs: -1 },
  }),
  {
    method: 'GET',
    path: '/software',
    scope: 'servers:read',
    answer: [
      { kind: 'vanilla', versions: true, properties: true, playerLists: ['bans', 'operators', 'allowlist'] },
      { kind: 'paper', mods: 'plugins' },
      { kind: 'folia' },
    ],
  },
  {
    method: 'GET',
    path: '/software/paper/versions',
    scope: 'servers:read',
    missing: { path: '/software/demo/versions', code: 'software_not_found' },
    answer: { kind: 'paper', stale: false, versions: [{ version: '1.21.8', stable: true }] },
  },
  { method: 'GET', path: '/runtimes', scope: 'servers:read', answer: [{ javaVersion: '17' }, { usedBy: ['demo'] }] },
  { method: 'DELETE', path: '/runtimes', scope: 'servers:write', answer: { removed: ['17'] } },
  {
    method: 'DELETE',
    path: '/runtimes/17',
    scope: 'servers:write',
    missing: { path: '/runtimes/8', code: 'runtime_not_found' },
    answer: { removed: ['17'] },
  },
  { method: 'GET', path: '/jobs', scope: 'servers:read', answer: [] },
  {
    method: 'GET',
    path: '/jobs/j1',
    scope: 'servers:read',
    missing: { path: '/jobs/j9', code: 'job_not_found' },
    prepare: async ({ jobs }) =>
      void (await jobs.startBackup({ instanceId: 'demo', cloudReplicate: true, reason: 'manual' })),
    answer: { jobId: 'j1', kind: 'backup' },
  },
  {
    method: 'DELETE',
    path: '/jobs/j1',
    scope: 'servers:write',
    status: 204,
    missing: { path: '/jobs/j9', code: 'job_not_found' },
    prepare: async ({ jobs }) =>
      void (await jobs.startBackup({ instanceId: 'demo', cloudReplicate: true, reason: 'manual' })),
  },
];

for (const prefix of ['', '/api/v1']) {
  t.test(`every operation under "${prefix}/" answers authorised callers only`, async (t) => {
    for (const { method, path, scope, status = 200, body, answer, missing, prepare } of CASES) {
      await t.test(`${method} ${prefix}${path}`, async (t) => {
        const world = await build(t);
        await prepare?.(world);
        const request = { method, url: `${prefix}${path}`, ...(body && { payload: body }) };

        isProblem(t, await world.app.inject(request), 'unauthenticated', 'without credentials');
        const others = SCOPES.filter((other) => other !== scope);
        isProblem(
          t,
          await world.app.inject({ ...request, headers: await world.bearer(others) }),
          'insufficient_scope',
          `without ${scope}`,
        );
        const headers = await world.bearer([scope]);
        if (missing) {
          const nowhere = await world.app.inject({ ...request, headers, url: `${prefix}${missing.path}` });
          isProblem(t, nowhere, missing.code, 'what is not there');
        }

        const good = await world.app.inject({ ...request, headers });
        t.equal(good.statusCode, status, good.body);
        t.match(good.headers, { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
        if (answer) t.match(good.json(), answer);
      });
    }
  });
}

t.test('a cookie opens all three families', async (t) => {
  const { app, cookie } = await build(t);
  const headers = await cookie();
  for (const url of ['/instances', '/api/v1/instances', '/api/session', '/api/users', '/api/tokens', '/api/audit']) {
    const answer = await app.inject({ url, headers });
    t.equal(answer.statusCode, 200, url);
    t.equal(answer.headers['cache-control'], 'no-store', url);
  }
});

t.test('the local administrator needs no credentials on the private socket', async (t) => {
  const { app } = await build(t, { local: true });
  t.equal((await app.inject({ url: '/instances', headers: { host: 'anything' } })).statusCode, 200);
  const created = await app.inject({
    method: 'POST',
    url: '/instances',
    payload: { name: 'x', software: 'custom', launch: { command: ['./x'] } },
  });
  t.equal(created.statusCode, 201, 'may set the launch command');
});
