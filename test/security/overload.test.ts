/**
 * A viewer sends a thousand requests at once to everything that can be read, and then reads none of a thousand large answers: an
 * administrator's requests succeed meanwhile, and neither memory nor queues grow without limit. What a viewer may not do is refused before
 * anything is done (privilege-escalation.test.ts).
 */
import t, { type Test } from 'tap';
import type { OpenApiDocument } from '../../gateway/openapi/types.ts';
import type { Job } from '../../shared/schema/job.ts';
import { manySockets } from '../support/http/many-sockets.ts';
import { signedInUser } from '../support/http/signed-in-user.ts';
import { until } from '../support/machine/until.ts';
import { operationsOf } from '../support/openapi/described-operations.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

const AT_ONCE = 1_000;
/** Everything that was in flight, and what is not garbage collected yet. */
const MOST_GROWTH_MIB = 400;
const LOG_LINES = 100_000;

const many = { requestsPerSecond: 1e6, burst: 1e6, connections: 8 * AT_ONCE };
const gamekeeper = await startGamekeeper(t, { settings: { limits: many } });
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
await gamekeeper.api('POST', '/instances/demo/start');
await gamekeeper.waitForStatus('demo', 'running');
await gamekeeper.api('POST', '/instances/demo/commands', { command: `demo flood ${LOG_LINES}` });
const viewer = await signedInUser(gamekeeper, { username: 'viewer', role: 'viewer' });
const { panel } = gamekeeper.addresses();
const port = Number(new URL(panel).port);
const gateway = watchedProcess(gamekeeper, /gateway\/main/);
const supervisor = watchedProcess(gamekeeper, /supervisor\/main/);

/** What an administrator does, each with one request. */
const ADMINISTRATION = [
  ['GET', '/instances', undefined],
  ['GET', '/instances/demo/logs?lines=5', undefined],
  ['GET', '/instances/demo/properties', undefined],
  ['POST', '/instances/demo/commands', { command: 'list' }],
] as const;

/**
 * For one request, on any machine. If an administrator came after the flood, a thousand searches of the log of a second each would be first, and
 * requests whose answers nobody reads would never end.
 */
const SERVED_WITHIN_MS = 120_000;

/** Does all of that once. Each request is repeated until it succeeds. */
async function administer(): Promise<void> {
  for (const [method, path, body] of ADMINISTRATION) {
    let answer: unknown;
    // On a loaded machine, a supervisor may need more than the three seconds after which the answer is 503.
    await until(
      `${method} ${path} succeeds`,
      async () => {
        const { status, body: received } = await gamekeeper.api(method, path, body);
        answer = received;
        return status === 200;
      },
      { deadlineMs: SERVED_WITHIN_MS, describe: () => answer },
    );
  }
}

/** Asks as an administrator until `work` has ended. Fails if a request does not succeed. */
async function administratorDuring(t: Test, what: string, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  do await administer();
  while (!isOver);
  await over;
  t.pass(`an administrator is served during ${what}`);
}

/** Returns a request of the viewer as it is sent. */
function requestOf(path: string, more = ''): string {
  const head = Object.entries(viewer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(panel).host}\r\n${more}${head.join('')}\r\n`;
}

t.test('a thousand requests at once to everything that can be read', async (t) => {
  const document = await gamekeeper.api<OpenApiDocument>('GET', '/openapi.json');
  const before = gateway.memoryMib();
  for (const { name, method, path, operation } of operationsOf(document.body)) {
    // Streams of events are in the next test, and the other mounts have the same handlers.
    if (method !== 'GET' || operation.operationId === 'streamEvents' || path.startsWith('/api/v1')) continue;
    const text = requestOf(path.replace('{id}', 'demo').replace(/\{\w+\}/g, 'none'), 'Connection: close\r\n');
    const sockets = await manySockets(t, port, { count: AT_ONCE, text });
    await administratorDuring(
      t,
      name,
      until(`${name} has been answered`, () => sockets.every(({ closed }) => closed()), { deadlineMs: 60_000 }),
    );
    const statuses = new Set(sockets.map(({ heard }) => heard().slice(9, 12)));
    // Health is 500 while a loaded machine does not let the daemon answer in time.
    if (!path.endsWith('/health')) t.notOk(statuses.has('500'), `${name}: ${[...statuses]}`);
  }
  t.ok(gateway.memoryMib() - before < MOST_GROWTH_MIB, `memory: ${before} to ${gateway.memoryMib()} MiB`);
  const jobs = await gamekeeper.api<Job[]>('GET', '/jobs');
  t.same(
    jobs.body.filter(({ endedAt }) => endedAt === undefined),
    [],
    'a viewer has started no jobs',
  );
});

for (const [what, path] of [
  ['logs', '/instances/demo/logs?lines=1000'],
  ['searches of the log', '/instances/demo/logs?lines=1000&contains=e'],
  ['event streams', '/events'],
] as const)
  t.test(`a thousand ${what} that are not read`, async (t) => {
    const before = { gateway: gateway.memoryMib(), supervisor: supervisor.memoryMib() };
    const text = requestOf(path);
    const deaf = await manySockets(t, port, { count: AT_ONCE });
    const flood = (async () => {
      for (const { socket } of deaf) {
        socket.pause();
        socket.write(text.repeat(20));
        await new Promise(setImmediate);
      }
    })();
    await administratorDuring(t, what, flood);
    // All requests have been sent by now, and no answer was read.
    await administer();
    const grown = (watched: typeof gateway, from: number) => Math.round(watched.memoryMib() - from);
    t.ok(grown(gateway, before.gateway) < MOST_GROWTH_MIB, `gateway: ${grown(gateway, before.gateway)} MiB more`);
    t.ok(
      grown(supervisor, before.supervisor) < MOST_GROWTH_MIB,
      `supervisor: ${grown(supervisor, before.supervisor)} MiB more`,
    );
    for (const { socket } of deaf) socket.destroy();
    await until(
      'the viewer is served again',
      async () => (await viewer.api('GET', path.replace('/events', '/instances'))).status === 200,
    );
    t.equal(watchedProcess(gamekeeper, /gateway\/main/).pid, gateway.pid, 'the gateway is still the same process');
  });
