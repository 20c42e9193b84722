/** Every operation either has its row in the table of limits or is known to need none: a new one cannot be forgotten. */
import t, { type Test } from 'tap';
import type { WorkPlaces } from '../../../gateway/work/work-places.ts';
import { WORK, type Work, type WorkLimit } from '../../../gateway/work/work-table.ts';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { operationsOf } from '../../support/openapi/described-operations.ts';
import { build } from '../../support/processes/gateway-app.ts';

/** Ends at once with what the gateway, the daemon or a database of the jobs process knows, or can open a few files. */
const PLAIN_READS = [
  ...['getHealth', 'getOpenApi', 'getMetrics'],
  ...[
    'listInstances',
    'getInstance',
    'getConfiguration',
    'getVariables',
    'getHistory',
    'getTunnel',
    'getPropertiesSchema',
  ],
  ...['getTunnelSettings'],
  ...['getBackup', 'getBackupRetention', 'getScheduleHistory'],
  ...['listJobs', 'getJob', 'listSoftware', 'listSoftwareProblems', 'listRuntimes'],
  ...['getSession', 'listUsers', 'getUser', 'listTokens', 'listAudit', 'getSettings', 'getSftp', 'getLink', 'getHost'],
];

/** Changes something, but is limited in another way. */
const HARMLESS: Readonly<Record<string, string>> = {
  cancelJob: 'ends work',
  streamEvents: 'limits.socketsPerCredential and limits.socketsPerUser',
  openConsole: 'limits.socketsPerCredential, limits.socketsPerUser and limits.socketsPerInstance',
  createConsoleTicket: 'tickets last 30 seconds, and only 10,000 are kept',
  login: 'passwords are checked in a queue of their own',
  logout: 'ends a session',
  changePassword: 'passwords are checked in a queue of their own',
  listSshKeys: 'a user has at most twenty',
  addSshKey: 'passwords are checked in a queue of their own',
  removeSshKey: 'one row of the database',
  setUpTotp: 'passwords are checked in a queue of their own',
  removeTotp: 'passwords are checked in a queue of their own',
  renewRecoveryCodes: 'passwords are checked in a queue of their own',
  removeRecoveryCodes: 'passwords are checked in a queue of their own',
  createToken: 'only administrators who are signed in',
  revokeToken: 'only administrators who are signed in',
  changeLink: 'only administrators who are signed in; changes a row',
};

/** What fills the places of a row, what the error then says, and whether only work on a server is refused. */
const FULL: readonly { by: string; says: RegExp; take: Taking; onServers?: true }[] = [
  { by: 'everybody', says: /in total/, take: (n) => ({ username: `x${n}`, instance: `i${n}` }) },
  { by: 'the same user', says: /of this credential, which/, take: (n) => ({ username: 'admin', instance: `i${n}` }) },
  {
    by: 'others on it',
    says: /on this server, which/,
    take: (n) => ({ username: `x${n}`, instance: 'demo' }),
    onServers: true,
  },
  { by: 'the same user on it', says: /of this credential on this server/, take: () => OWN, onServers: true },
];

t.test('every operation is limited by the table of work, or known to be harmless', async (t) => {
  const limited = new Set<string>();
  const found = new Set<string>();
  for (const { by, says, take, onServers } of FULL)
    await t.test(`places that are taken by ${by}`, async (t) => {
      const { gateway, walk } = await worldOf(t);
      for (const work of Object.keys(WORK) as Work[])
        if (!onServers || 'onInstance' in WORK[work]) takeAll(gateway.workPlaces, work, take);
      for await (const { id, name, method, answer } of walk(onServers ? '{id}' : '')) {
        found.add(id);
        if (answer.statusCode !== 429) {
          t.notOk(limited.has(id), `${name} is limited`);
          continue;
        }
        limited.add(id);
        t.ok(Number(answer.headers['retry-after']) > 0, `${name} says when to try again`);
        t.match(answer.json(), { code: 'rate_limited', detail: says }, name);
        if (PLAIN_READS.includes(id)) t.equal(method, 'GET', name);
      }
    });
  const known = [...PLAIN_READS, ...Object.keys(HARMLESS)];
  t.same(
    [...found].filter((id) => !limited.has(id) && !known.includes(id)),
    [],
    'name the work of these in their operation, or say here why that is not needed',
  );
  t.same(
    known.filter((id) => limited.has(id) || !found.has(id)),
    [],
    'these are limited, or do not exist',
  );
});

t.test('no credential and no server can take all places of a row', (t) => {
  for (const [work, limit] of Object.entries<WorkLimit>(WORK)) {
    const { perUser, onInstance, total } = limit;
    t.ok(perUser <= total / 2, `${work}: two users find places`);
    if (!onInstance) continue;
    t.ok(onInstance.perUser < perUser, `${work}: a user who is busy on one server finds places on another`);
    t.ok(onInstance.perUser <= onInstance.all / 2, `${work}: two users find places on a server`);
    t.ok(onInstance.all <= total / 2, `${work}: two servers find places`);
  }
  t.end();
});

t.test('a search of a log is limited apart from other requests for logs', async (t) => {
  const { app, gateway, cookie } = await build(t);
  takeAll(gateway.workPlaces, 'search', (n) => ({ username: `x${n}`, instance: `i${n}` }));
  const logs = (query: string) =>
    cookie().then((headers) => app.inject({ url: `/instances/demo/logs${query}`, headers }));
  t.equal((await logs('')).statusCode, 200);
  t.match((await logs('?contains=x')).json(), { code: 'rate_limited', detail: /searches of logs are under way/ });
});

/** Those that are validated before the handler runs. */
const BODIES: Readonly<Record<string, object>> = {
  allowPlayers: { names: ['Steve'] },
  cloneInstance: { name: 'Copy' },
  createInstance: { name: 'New', software: 'demo' },
  createLink: { url: 'https://proxy.example.net' },
  restoreBackupFiles: { paths: ['server.properties'] },
  importInstance: { directory: '/nowhere' },
  installMod: { project: 'magic' },
  createFromModpack: { project: 'magic' },
  runCommand: { command: 'list' },
  setProperties: { properties: {} },
  setGamerules: { rules: {} },
  createUser: { username: 'new', password: 'long enough', role: 'viewer' },
  changeVariables: { variables: {} },
  updateInstance: { name: 'Renamed' },
  setSettings: {},
  updateUser: { role: 'viewer' },
  pinBackup: { pinned: true },
  setSchedules: { schedules: [] },
  setTunnelSettings: { provider: null },
  createFolder: { path: 'maps' },
  moveFile: { from: 'a', to: 'b' },
  copyFile: { from: 'a', to: 'b' },
  createArchive: { to: 'a.zip' },
  extractArchive: { path: 'a.zip' },
  restoreFileVersion: { path: 'a', version: 'x' },
  replaceWorld: { folder: 'world', archive: 'a.zip' },
  resetWorld: { folder: 'world' },
  checkKind: { text: '{}' },
  saveKind: { text: '{}' },
};

const QUERIES: Readonly<Record<string, string>> = {
  searchFiles: '?name=x',
  createImportUpload: '?name=x.zip',
  readFileVersion: '?version=x',
};

async function worldOf(t: Test) {
  const many = 1_000_000;
  const { app, gateway, cookie } = await build(t, { settings: { limits: { requestsPerSecond: many, burst: many } } });
  /** Sends a request for each operation with this part in its path, as an administrator. */
  async function* walk(part: string) {
    for (const { name, method, path, operation } of operationsOf((await app.inject('/openapi.json')).json())) {
      if (!path.includes(part)) continue;
      const id = operation.operationId.replace(/^(?:v1|panel)([A-Z])/, (_, letter: string) => letter.toLowerCase());
      const url = path
        .replace('{id}', 'demo')
        .replace('{javaVersion}', '21')
        .replace(/\{\w+\}/g, 'nothing');
      // Lasts as long as somebody listens.
      if (id === 'streamEvents') {
        yield { id, name, method, answer: await app.inject('/health') };
        continue;
      }
      const payload = BODIES[id];
      const answer = await app.inject({
        method: method as 'GET',
        url: `${url}${QUERIES[id] ?? ''}`,
        headers: await cookie(),
        ...(payload && { payload }),
      });
      yield { id, name, method, answer };
    }
  }
  return { gateway, walk };
}

type Taking = (n: number) => { username: string; instance: string };

const OWN = { username: 'admin', instance: 'demo' };

/** Takes as many places as there are, of administrators and of others. */
function takeAll(places: WorkPlaces, work: Work, taking: Taking): void {
  for (const scopes of [SCOPES, SCOPES.slice(1)])
    for (let n = 0; n < WORK[work].total; n++) {
      const { username, instance } = taking(n);
      const credential = `session:${n}`;
      const identity = { kind: 'session', role: 'admin', username, credential, scopes: new Set(scopes) } as const;
      try {
        places.take(work, { identity, instance });
      } catch (error) {
        if (!isGamekeeperError(error, 'rate_limited')) throw error;
        break;
      }
    }
}
