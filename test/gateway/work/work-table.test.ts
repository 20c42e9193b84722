/** Every operation either has its row in the table of limits or is known to need none: a new one cannot be forgotten. */
import t from 'tap';
import type { WorkPlaces } from '../../../gateway/work/work-places.ts';
import { WORK, type Work } from '../../../gateway/work/work-table.ts';
import { SCOPES } from '../../../shared/domain/access/scope.ts';
import { operationsOf } from '../../support/openapi/described-operations.ts';
import { build } from '../../support/processes/gateway-app.ts';

/** Ends at once with what the gateway, the daemon or a database of the jobs process knows, or can open a few files. */
const PLAIN_READS = [
  ...['getHealth', 'getOpenApi', 'getMetrics'],
  ...['listInstances', 'getInstance', 'getConfiguration', 'getHistory', 'getTunnel', 'getPropertiesSchema'],
  ...['getTunnelSettings'],
  ...['getBackup', 'getBackupRetention', 'getScheduleHistory'],
  ...['listJobs', 'getJob', 'listSoftware', 'listSoftwareProblems', 'listRuntimes'],
  ...['getSession', 'listUsers', 'getUser', 'listTokens', 'listAudit', 'getSettings', 'getLink'],
];

/** Changes something, but is limited in another way. */
const HARMLESS: Readonly<Record<string, string>> = {
  createInstance: 'only administrators; one after the other in the daemon',
  updateInstance: 'one after the other in the daemon',
  deleteInstance: 'only administrators; one after the other in the daemon',
  pinBackup: 'changes a row and rewrites a small file',
  deleteBackup: 'each can be deleted once',
  cancelJob: 'ends work',
  streamEvents: 'limits.socketsPerCredential and limits.socketsPerUser',
  openConsole: 'limits.socketsPerCredential, limits.socketsPerUser and limits.socketsPerInstance',
  createConsoleTicket: 'tickets last 30 seconds, and only 10,000 are kept',
  login: 'passwords are checked in a queue of their own',
  logout: 'ends a session',
  changePassword: 'passwords are checked in a queue of their own',
  setUpTotp: 'passwords are checked in a queue of their own',
  removeTotp: 'passwords are checked in a queue of their own',
  renewRecoveryCodes: 'passwords are checked in a queue of their own',
  removeRecoveryCodes: 'passwords are checked in a queue of their own',
  createUser: 'only administrators who are signed in',
  updateUser: 'only administrators who are signed in',
  removeUser: 'only administrators who are signed in',
  createToken: 'only administrators who are signed in',
  revokeToken: 'only administrators who are signed in',
  changeLink: 'only administrators who are signed in; changes a row',
  setSettings: 'only administrators who are signed in; one after the other in the daemon',
};

t.test('every operation is limited by the table of work, or known to be harmless', async (t) => {
  const many = 1_000_000;
  const world = await build(t, { settings: { limits: { requestsPerSecond: many, burst: many } } });
  const { app, gateway, cookie } = world;
  for (const work of Object.keys(WORK) as Work[]) takeAll(gateway.workPlaces, work);
  const found = new Set<string>();
  const limited = new Set<string>();
  for (const { name, method, path, operation } of operationsOf((await app.inject('/openapi.json')).json())) {
    const id = operation.operationId.replace(/^(?:v1|panel)([A-Z])/, (_, letter: string) => letter.toLowerCase());
    found.add(id);
    if (id === 'streamEvents') continue; // lasts as long as somebody listens
    const url = path
      .replace('{id}', 'demo')
      .replace('{javaVersion}', '21')
      .replace(/\{\w+\}/g, 'nothing');
    const payload = BODIES[id];
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: await cookie(),
      ...(payload && { payload }),
    });
    if (answer.statusCode !== 429) continue;
    limited.add(id);
    t.ok(Number(answer.headers['retry-after']) > 0, `${name} says when to try again`);
    t.match(answer.json(), { code: 'rate_limited', detail: /are under way in total, which is the limit/ }, name);
    if (PLAIN_READS.includes(id)) t.equal(method, 'GET', name);
  }
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

t.test('a search of a log is limited apart from other requests for logs', async (t) => {
  const { app, gateway, cookie } = await build(t);
  takeAll(gateway.workPlaces, 'search');
  const logs = (query: string) =>
    cookie().then((headers) => app.inject({ url: `/instances/demo/logs${query}`, headers }));
  t.equal((await logs('')).statusCode, 200);
  t.match((await logs('?contains=x')).json(), { code: 'rate_limited', detail: /searches of logs are under way/ });
});

/** Those that are validated before the handler runs. */
const BODIES: Readonly<Record<string, object>> = {
  cloneInstance: { name: 'Copy' },
  createLink: { url: 'https://proxy.example.net' },
  importInstance: { directory: '/nowhere' },
  installMod: { project: 'magic' },
  runCommand: { command: 'list' },
  setProperties: { properties: {} },
  setSchedules: { schedules: [] },
  setTunnelSettings: { provider: null },
};

/** Takes every place, of administrators and of others, on instances that are not asked for. */
function takeAll(places: WorkPlaces, work: Work): void {
  for (const scopes of [SCOPES, SCOPES.slice(1)])
    for (let n = 0; n < WORK[work].total; n++) {
      const identity = {
        kind: 'token',
        role: 'admin',
        username: 'x',
        credential: `t${n}`,
        scopes: new Set(scopes),
      } as const;
      places.take(work, { identity, instance: `i${n}` });
    }
}
