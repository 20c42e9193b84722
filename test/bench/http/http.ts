/**
 * HTTP: the gateway's CPU time per request, from its own metrics, compared with `node:http` answering the same bytes (H1); and requests per
 * CPU second for a list of 50 instances (H2).
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
import { type BenchRow, median, rounded } from '../row.ts';
import type { Load } from './http-load.ts';

const GATEWAY = path.join(import.meta.dirname, '../../../dist/gateway/main.js');
const RUNS = 5;
const CONNECTIONS = 16;
const HEALTH_REQUESTS = 25_000;
const LIST_REQUESTS = 10_000;
const INSTANCES = 50;
const MOST_H1_RATIO = 1.3;
const LEAST_H2_PER_CPU_SECOND = 5_000;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const daemon = await serveDaemon(folder);
  cleanup.defer(daemon.close);
  const gateway = startChild(cleanup, GATEWAY, ['--home', folder]);
  const [{ ready }] = (await once(gateway, 'message')) as [{ ready: { panel: string } }];
  const port = Number(new URL(ready.panel).port);

  const probe = await fetch(`${ready.panel}/health`);
  const headers = Object.fromEntries(probe.headers);
  const bare = startChild(cleanup, path.join(import.meta.dirname, 'bare-http.ts'));
  bare.send({ headers: withoutNodesOwn(headers), body: await probe.text() });
  const [barePort] = (await once(bare, 'message')) as [number];

  const load = startChild(cleanup, path.join(import.meta.dirname, 'http-load.ts'));
  const ask = async (request: Omit<Load, 'connections'>) => {
    load.send({ connections: CONNECTIONS, ...request } satisfies Load);
    await once(load, 'message');
  };
  const gatewayCpu = async () => {
    const metrics = await (await fetch(`${ready.panel}/metrics`)).text();
    return Number(/^gamekeeper_process_cpu_seconds_total\{process="gateway"\} (\S+)/m.exec(metrics)?.[1]) * 1e6;
  };
  const bareCpu = async () => {
    bare.send('cpu');
    return Number((await once(bare, 'message'))[0]);
  };

  const health = { path: '/health', headers: {}, requests: HEALTH_REQUESTS };
  for (const warm of [port, barePort]) await ask({ ...health, port: warm });
  const costs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < RUNS; round++) {
    const theirs = await costOf(bareCpu, () => ask({ ...health, port: barePort }));
    const ours = await costOf(gatewayCpu, () => ask({ ...health, port }));
    costs.push({ ours: ours / HEALTH_REQUESTS, theirs: theirs / HEALTH_REQUESTS });
  }
  const { ours, theirs } = median(costs, (cost) => cost.ours / cost.theirs);

  const list = {
    path: '/instances',
    headers: { authorization: `Bearer ${daemon.token}` },
    requests: LIST_REQUESTS,
    port,
  };
  await ask(list);
  const perRequest = (await costOf(gatewayCpu, () => ask(list))) / LIST_REQUESTS;
  const perSecond = 1e6 / perRequest;
  return [
    {
      id: 'H1',
      what: `GET /health, CPU time per request (median of ${RUNS} interleaved runs)`,
      value: rounded(ours),
      unit: 'µs',
      comparedWith: 'node:http alone',
      reference: rounded(theirs),
      ratio: rounded(ours / theirs),
      goal: `ratio at most ${MOST_H1_RATIO}`,
      pass: ours / theirs <= MOST_H1_RATIO,
    },
    {
      id: 'H2',
      what: `GET /instances with a bearer token and ${INSTANCES} instances`,
      value: rounded(perSecond),
      unit: 'requests per CPU second',
      goal: `at least ${LEAST_H2_PER_CPU_SECOND}`,
      pass: perSecond >= LEAST_H2_PER_CPU_SECOND,
    },
  ];
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
async function costOf(cpu: () => Promise<number>, work: () => Promise<void>): Promise<number> {
  const before = await cpu();
  await work();
  return (await cpu()) - before;
}

/** Removes the headers that Node adds to every response. */
function withoutNodesOwn({ connection, date, 'keep-alive': keepAlive, ...headers }: Record<string, string>) {
  return headers;
}
