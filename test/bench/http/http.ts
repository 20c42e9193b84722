/**
 * HTTP: the gateway's CPU time per request, compared with `node:http` answering the same bytes (H1) and serializing the
 * same list of 50 instances (H2).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignJWT } from 'jose';
import { daemonRouter } from '../../../shared/contract/daemon.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { serveIpc } from '../../../shared/node/ipc/server.ts';
import { settings as settingsSchema } from '../../../shared/schema/settings.ts';
import { instanceConfig, standInDaemon, TOKEN_KEY } from '../../support/stand-ins/stand-in-daemon.ts';
import { type BenchRow, inTurns, ratioRow } from '../row.ts';
import { cpuSecondsOf } from '../running-gamekeeper.ts';
import type { BareAnswer } from './bare-http.ts';
import type { Load } from './http-load.ts';

const GATEWAY = path.join(import.meta.dirname, '../../../dist/gateway/main.js');
const CONNECTIONS = 16;
/** So many that the CPU time, which the kernel counts in steps of 10 ms, is exact to one per cent. */
const HEALTH_REQUESTS = 60_000;
const LIST_REQUESTS = 25_000;
const INSTANCES = 50;
const MOST_H1_RATIO = 1.3;
const MOST_H2_RATIO = 2;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const daemon = await serveDaemon(folder);
  cleanup.defer(daemon.close);
  const gateway = startChild(cleanup, GATEWAY, ['--home', folder]);
  const [{ ready }] = (await once(gateway, 'message')) as [{ ready: { panel: string } }];
  const port = Number(new URL(ready.panel).port);

  const authorization = `Bearer ${daemon.token}`;
  const bare = startChild(cleanup, path.join(import.meta.dirname, 'bare-http.ts'));
  bare.send({
    '/health': await answerOf(`${ready.panel}/health`),
    '/instances': await answerOf(`${ready.panel}/instances`, { authorization }),
  });
  const [barePort] = (await once(bare, 'message')) as [number];

  const load = startChild(cleanup, path.join(import.meta.dirname, 'http-load.ts'));
  const ask = async (request: Omit<Load, 'connections'>) => {
    load.send({ connections: CONNECTIONS, ...request } satisfies Load);
    await once(load, 'message');
  };
  const gatewayCpu = () => cpuSecondsOf(gateway.pid!);
  const bareCpu = () => cpuSecondsOf(bare.pid!);

  const compare = async (request: Omit<Load, 'connections' | 'port'>) => {
    for (const warm of [port, barePort]) await ask({ ...request, port: warm });
    return inTurns(
      async () => (await costOf(bareCpu, () => ask({ ...request, port: barePort }))) / request.requests,
      async () => (await costOf(gatewayCpu, () => ask({ ...request, port }))) / request.requests,
    );
  };
  return [
    ratioRow({
      id: 'H1',
      what: 'GET /health, CPU time per request',
      unit: 'µs',
      comparedWith: 'node:http alone',
      turns: await compare({ path: '/health', headers: {}, requests: HEALTH_REQUESTS }),
      goal: { atMost: MOST_H1_RATIO },
    }),
    ratioRow({
      id: 'H2',
      what: `GET /instances with a bearer token and ${INSTANCES} instances, CPU time per request`,
      unit: 'µs',
      comparedWith: 'node:http that serializes the same list',
      turns: await compare({ path: '/instances', headers: { authorization }, requests: LIST_REQUESTS }),
      goal: { atMost: MOST_H2_RATIO },
    }),
  ];
}

/** Returns what `bare-http.ts` needs to give the same answer. */
async function answerOf(url: string, headers: Record<string, string> = {}): Promise<BareAnswer> {
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  const body = url.endsWith('/health') ? text : (JSON.parse(text) as object);
  return { headers: withoutNodesOwn(Object.fromEntries(answer.headers)), body };
}

/** Serves a stand-in for the daemon with 50 running instances, practically no rate limit, and one bearer token. */
async function serveDaemon(folder: string): Promise<{ token: string; close: () => Promise<void> }> {
  const home = homeAt(folder);
  mkdirSync(home.run);
  const noSocket = async () => '';
  const unlimited = { requestsPerSecond: 1_000_000, burst: 1_000_000 };
  const service = standInDaemon({
    settings: settingsSchema.parse({ log: { level: 'warn' }, limits: unlimited }),
    home: folder,
    supervisorSocket: noSocket,
    jobsSocket: noSocket,
    filesSocket: noSocket,
  });
  const runtime = { phase: 'running' as const, cpuPercent: 12.5, memoryUsedMb: 1800, playersOnline: 3, maxPlayers: 20 };
  for (let n = 0; n < INSTANCES; n++)
    service.put(instanceConfig({ id: `server-${n}`, name: `Server number ${n}` }), {
      ...runtime,
      startedAt: Date.now(),
    });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const createdAt = new Date().toISOString();
  const record = { id: 'bench', name: 'bench', unrestricted: false, createdBy: 'command line', createdAt, expiresAt };
  service.addToken({ token: { ...record, scopes: ['servers:read'] }, by: null });
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(service.info().daemonId)
    .setSubject(record.createdBy)
    .setJti(record.id)
    .setExpirationTime('1h')
    .sign(Buffer.from(TOKEN_KEY, 'base64url'));
  const onError = (error: unknown) => process.stderr.write(`${String(error)}\n`);
  const server = await serveIpc({
    socketPath: home.daemonSocket,
    name: 'daemon',
    version: '0',
    router: daemonRouter,
    service,
    onError,
  });
  return { token, close: server.close };
}

function startChild(cleanup: AsyncDisposableStack, file: string, args: string[] = []): ChildProcess {
  const child = fork(file, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, GAMEKEEPER_PORT: '0', GAMEKEEPER_REMOTE_PORT: '0' },
  });
  cleanup.defer(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  return child;
}

/** Resolves to the CPU time that a process used for some work, in microseconds. */
async function costOf(cpuSeconds: () => number, work: () => Promise<void>): Promise<number> {
  const before = cpuSeconds();
  await work();
  return (cpuSeconds() - before) * 1e6;
}

/** Removes the headers that Node adds to every response. */
function withoutNodesOwn({ connection, date, 'keep-alive': keepAlive, ...headers }: Record<string, string>) {
  return headers;
}
