/** Calls every operation of the OpenAPI document with every role and kind of credential. */
import t from 'tap';
import { ROLES, type Role, SCOPES, type Scope, scopesOfRole } from '../../../shared/domain/access/scope.ts';
import { isProblem } from '../../support/http/problem.ts';
import { operationsOf } from '../../support/openapi/described-operations.ts';
import { build } from '../../support/processes/gateway-app.ts';

/** The intended access (docs/users.md). Other operations need only their scope. */
const PUBLIC = ['getHealth', 'getMetrics', 'getOpenApi', 'login', 'logout'];
const OF_ONESELF = [
  'getSession',
  'changePassword',
  'setUpTotp',
  'removeTotp',
  'renewRecoveryCodes',
  'removeRecoveryCodes',
  ...['getSftp', 'listSshKeys', 'addSshKey', 'removeSshKey'],
];
const OF_ADMINISTRATORS_WHO_ARE_SIGNED_IN = [
  ...['listUsers', 'getUser', 'createUser', 'updateUser', 'removeUser', 'listTokens', 'createToken', 'revokeToken'],
  ...['listAudit', 'getHost', 'getSettings', 'setSettings'],
];
const OF_ADMINISTRATORS = [
  'createInstance',
  ...['importInstance', 'createImportUpload', 'continueImportUpload', 'cancelImportUpload'],
  ...['searchModpacks', 'listModpackVersions', 'createFromModpack'],
  'cloneInstance',
  'exportInstance',
  'downloadBackup',
  'listBackupFiles',
  'readBackupFile',
  'compareBackupFiles',
  'restoreBackupFiles',
  'updateInstance',
  'deleteInstance',
  ...['setProperties', 'setGamerules'],
  ...['checkKind', 'saveKind', 'removeKind'],
  ...['listFiles', 'readFile', 'writeFile', 'deleteFile', 'createFolder', 'moveFile', 'copyFile'],
  ...['downloadFolder', 'createArchive', 'extractArchive', 'searchFiles', 'getFileUsage'],
  ...['listFileVersions', 'readFileVersion', 'restoreFileVersion'],
  ...['listWorlds', 'replaceWorld', 'resetWorld'],
  ...['createUpload', 'continueUpload', 'cancelUpload'],
  ...['listTrash', 'restoreFile', 'deleteFromTrash', 'emptyTrash'],
];
const BY_SCOPE: Readonly<Record<Scope, readonly string[]>> = {
  'servers:read': [
    'listInstances',
    'getInstance',
    'listPorts',
    'listPlayers',
    ...['getProperties', 'getGamerules'],
    'getVariables',
    'listJobs',
    'getJob',
    'streamEvents',
  ],
  'servers:write': [
    'startInstance',
    'stopInstance',
    'restartInstance',
    'killInstance',
    ...['restartWhenEmpty', 'cancelRestart'],
    'runCommand',
    'cancelJob',
    'opPlayer',
    'changeVariables',
  ],
  'logs:read': ['getLogs', 'openConsole', 'createConsoleTicket'],
  'backups:create': ['createBackup', 'listBackups', 'getBackup', 'getBackupRetention', 'restoreBackup', 'deleteBackup'],
  'tunnels:manage': ['getTunnel', 'testTunnel', 'testTunnelFromOutside', 'getTunnelSettings', 'setTunnelSettings'],
};
const ROLES_OF_SCOPE: Readonly<Record<Scope, readonly Role[]>> = {
  'servers:read': ['admin', 'operator', 'viewer'],
  'servers:write': ['admin', 'operator'],
  'logs:read': ['admin', 'operator', 'viewer'],
  'backups:create': ['admin', 'operator'],
  'tunnels:manage': ['admin'],
};

/** What an operation requires of a caller. */
interface Rule {
  scope?: Scope;
  role?: Role;
  /** Signed in with a cookie. */
  cookie: boolean;
}

/** Names of the same operation in the other families: `v1StartInstance`, `panelStartInstance`. */
function baseName(id: string): string {
  return id.replace(/^(?:v1|panel)([A-Z])/, (_, letter: string) => letter.toLowerCase());
}

function mayCall(
  { scope, role, cookie }: Rule,
  by: { role: Role; scopes: readonly Scope[]; cookie: boolean },
): boolean {
  if (cookie && !by.cookie) return false;
  if (scope !== undefined && !(by.scopes.includes(scope) && ROLES_OF_SCOPE[scope].includes(by.role))) return false;
  return role === undefined || by.role === 'admin' || by.role === role;
}

t.test('each role and credential can call exactly the intended operations', async (t) => {
  const many = 1_000_000;
  const world = await build(t, { settings: { limits: { requestsPerSecond: many, burst: many } } });
  const { app, addUser, cookie, bearer } = world;
  for (const role of ROLES) await addUser(role, role);
  await addUser('spare', 'admin');
  const tokens = await Promise.all(
    ROLES.flatMap((role) =>
      [SCOPES, ...SCOPES.map((scope) => [scope])].map(async (scopes) => ({
        name: `token of a ${role} with ${scopes.length === 1 ? scopes[0] : 'everything'}`,
        headers: await bearer(scopes.length === 1 ? scopes : undefined, role),
        by: { role, scopes: scopesOfRole(role).filter((scope) => scopes.includes(scope)), cookie: false },
      })),
    ),
  );
  const operations = operationsOf((await app.inject('/openapi.json')).json());
  t.ok(operations.length > 90);
  const met = new Set<string>();
  const mistakes: string[] = [];

  for (const { name, method, path, operation, answers } of operations) {
    const id = baseName(operation.operationId);
    met.add(id);
    const scope = operation.security.flatMap((scheme) => scheme.OAuth2 ?? [])[0] as Scope | undefined;
    const isPublic =
      operation.security.some((scheme) => Object.keys(scheme).length === 0) || operation.security.length === 0;
    t.equal(isPublic, PUBLIC.includes(id), `${name} is ${isPublic ? 'public' : 'only for callers with credentials'}`);
    if (isPublic) continue;
    const rule: Rule = {
      ...(scope !== undefined && { scope }),
      ...(/Users need the role admin/.test(operation.description ?? '') && { role: 'admin' }),
      cookie: operation.security.every((scheme) => 'CookieAuth' in scheme),
    };
    if (OF_ONESELF.includes(id)) t.same(rule, { cookie: true }, name);
    if (OF_ADMINISTRATORS_WHO_ARE_SIGNED_IN.includes(id)) t.same(rule, { cookie: true, role: 'admin' }, name);
    if (OF_ADMINISTRATORS.includes(id)) t.match(rule, { scope: 'servers:write', role: 'admin', cookie: false }, name);
    for (const [meant, ids] of Object.entries(BY_SCOPE))
      if (ids.includes(id)) t.same(rule, { scope: meant, cookie: false }, name);

    const url = path.replace('{id}', 'demo').replace(/\{\w+\}/g, 'nothing');
    const call = (headers: Record<string, string>) => app.inject({ method: method as 'GET', url, headers });
    isProblem(t, await call({}), 'unauthenticated', `${name} without credentials`);
    isProblem(t, await call({ authorization: 'Bearer nonsense' }), 'unauthenticated', `${name} with a bad token`);
    // Created for each call, because some operations end the session.
    const cookies = await Promise.all(
      ROLES.map(async (role) => ({
        name: `cookie of a ${role}`,
        headers: await cookie(role),
        by: { role, scopes: scopesOfRole(role), cookie: true },
      })),
    );
    for (const { name: who, headers, by } of [...cookies, ...tokens]) {
      const may = mayCall(rule, by);
      // The response continues as long as a client reads.
      if (may && id === 'streamEvents') continue;
      const { statusCode: status } = await call(headers);
      const isLetIn = status !== 403 && status !== 401;
      if (isLetIn !== may) mistakes.push(`${name}: ${who}: ${status}`);
      if (!answers.some((answer) => answer.status === status))
        mistakes.push(`${name}: ${who}: ${status} is not documented`);
    }
  }
  t.same(mistakes, []);
  const named = [
    ...PUBLIC,
    ...OF_ONESELF,
    ...OF_ADMINISTRATORS_WHO_ARE_SIGNED_IN,
    ...OF_ADMINISTRATORS,
    ...Object.values(BY_SCOPE).flat(),
  ];
  t.same(
    named.filter((id) => !met.has(id)),
    [],
    'every operation in the table exists',
  );
});

t.test('the roles have the intended scopes', (t) => {
  for (const role of ROLES)
    t.same([...scopesOfRole(role)].sort(), SCOPES.filter((scope) => ROLES_OF_SCOPE[scope].includes(role)).sort(), role);
  t.end();
});
