/** `gamekeeper proxy --workers`: several processes that share a port, and what happens when they die. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type EchoDaemon, echoDaemon } from '../../../support/link/echo-daemon.ts';
import { until } from '../../../support/machine/until.ts';
import { oauthWorld } from '../../../support/proxy/oauth-world.ts';
import { startPostgres } from '../../../support/proxy/postgres.ts';
import { type RunningProxy, startProxy } from '../../../support/proxy/proxy-process.ts';

/** The account has 50 requests per second. */
const PAUSE_MS = 500;
const WORKERS = ['--workers', '3'];

/** Returns the pids of the workers. */
function workersOf({ pid }: RunningProxy): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return []; // pgrep found none
  }
}

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

/** Sends a request over a connection of its own, which any worker may get. */
function status(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    }).on('error', reject);
  });
}

async function start(t: Test): Promise<RunningProxy | undefined> {
  const postgres = await startPostgres(t);
  return postgres && startProxy(t, { DATABASE_URL: await postgres.database() }, WORKERS);
}

t.test('workers share the port; one that dies is replaced, and SIGTERM ends them all', async (t) => {
  const proxy = await start(t);
  if (!proxy) return;
  const before = workersOf(proxy);
  t.equal(before.length, 3);
  await proxy.addUser('anna');
  const ask = () => Promise.all(Array.from({ length: 20 }, () => status(`${proxy.url}/readyz`)));
  t.same(new Set(await ask()), new Set([200]));

  const [killed = 0, ...others] = before;
  process.kill(killed, 'SIGKILL');
  await until('it is gone', () => !workersOf(proxy).includes(killed));
  t.same(new Set(await ask()), new Set([200]), 'the others serve');
  await until('another one runs', () => workersOf(proxy).length === 3 && /worker 1 runs again/.test(proxy.output()), {
    describe: proxy.output,
  });
  t.same(
    workersOf(proxy).filter((pid) => before.includes(pid)),
    others,
    'the others are the same processes',
  );
  t.match(await proxy.command(WORKERS), { code: 1, stderr: /already runs with the data directory/ });

  const last = workersOf(proxy);
  t.equal(await proxy.end('SIGTERM'), 0);
  t.same(last.filter(isRunning), []);
  t.notOk(existsSync(path.join(proxy.home, 'run/proxy.json')));
});

t.test('any worker reaches every computer, and one that dies takes only its own links along', async (t) => {
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const world = await oauthWorld(t, { DATABASE_URL: await postgres.database() }, WORKERS);
  const { proxy } = world;
  const browser = await world.browser('anna');
  const computers: { daemon: EchoDaemon; url: string; headers: { authorization: string } }[] = [];
  for (const name of ['Attic', 'Basement', 'Cellar', 'Den', 'Eaves', 'Foyer']) {
    const linked = await world.link('anna', name);
    const { daemonId } = linked;
    const { access_token: token } = await world.tokens(browser, [daemonId]);
    const daemon = echoDaemon(t, { address: proxy.url, daemonId, token: () => linked.token() });
    await daemon.connected();
    const headers = { authorization: `Bearer ${token}` };
    computers.push({ daemon, url: `${proxy.url}/d/${daemonId}/health`, headers });
  }
  const allReached = async () => {
    let statuses: (number | undefined)[] = [];
    const ask = async () => {
      const asked = computers.flatMap(({ url, headers }) => Array.from({ length: 4 }, () => status(url, headers)));
      statuses = await Promise.all(asked);
      if (statuses.every((one) => one === 200)) return true;
      await delay(PAUSE_MS);
      return false;
    };
    await until('all are reached, over new connections', ask, { describe: () => statuses });
  };
  await allReached();

  const since = computers.map(({ daemon }) => daemon.link.status.since);
  const [killed = 0] = workersOf(proxy);
  process.kill(killed, 'SIGKILL');
  await until('it is gone', () => !workersOf(proxy).includes(killed));
  await allReached();
  const stayed = computers.filter(({ daemon }, n) => daemon.link.status.since === since[n]);
  t.ok(stayed.length >= 1, `${stayed.length} of ${computers.length} links stayed`);
});

t.test('workers end when the process that started them is killed', async (t) => {
  const proxy = await start(t);
  if (!proxy) return;
  const workers = workersOf(proxy);
  await proxy.end('SIGKILL');
  await until('they are gone', () => !workers.some(isRunning));
  await proxy.start();
  t.equal(await status(`${proxy.url}/readyz`), 200, 'and it starts again');
});

t.test('what is wrong is explained once', async (t) => {
  await t.rejects(startProxy(t, {}, WORKERS), { message: /ended with status 2:\n.*need a PostgreSQL database/s });
  await t.rejects(startProxy(t, {}, ['--workers', 'many']), { message: /number from 1 to 256/ });
  const postgres = await startPostgres(t);
  if (!postgres) return;
  const DATABASE_URL = await postgres.database();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  await t.rejects(startProxy(t, { DATABASE_URL, GAMEKEEPER_PROXY_PORT: port }, WORKERS), {
    message: /Cannot listen on 127\.0\.0\.1.*another program uses it/,
  });
  await postgres.stop();
  const failed = await startProxy(t, { DATABASE_URL }, WORKERS).catch((error: Error) => error);
  t.equal(String(failed).match(/PostgreSQL database of DATABASE_URL cannot be used/g)?.length, 1);
  t.match(String(failed), /The worker 1 ended with status 1/);
});
