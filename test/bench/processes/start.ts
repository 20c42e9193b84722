/**
 * How long the daemon takes until it answers, compared with a Fastify server without routes of its own (S1), and a start until the game process
 * runs, compared with a new Node.js process that starts the same program on a terminal (S2). Both are seen from outside.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { processesOf } from '../../support/processes/leftovers.ts';
import { type BenchRow, inTurns, ratioRow } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';

const DAEMON = path.join(import.meta.dirname, '../../../dist/daemon/main.js');
const BARE_FASTIFY = path.join(import.meta.dirname, 'bare-fastify.ts');
const BARE_START = path.join(import.meta.dirname, 'bare-start.ts');
/** Writes the time at which it runs to a file. */
const PROGRAM = ['/bin/sh', '-c', 'date +%s%N > started.new; mv started.new started; exec sleep 600'];
const POLL_MS = 2;
const MOST_S1_RATIO = 2.2;
const MOST_S2_RATIO = 1.5;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const daemon = await serverStarts([DAEMON, '--home', path.join(folder, 'home')]);
  const fastify = await serverStarts([BARE_FASTIFY]);
  const daemonStart = await inTurns(fastify, daemon);
  const game = await gameStarts(cleanup);
  const gameStart = await inTurns(() => bareStart(folder), game);
  return [
    ratioRow({
      id: 'S1',
      what: 'from the start of the daemon to the first answer of GET /health, existing data directory',
      unit: 'ms',
      comparedWith: 'an empty Fastify server',
      turns: daemonStart,
      goal: { atMost: MOST_S1_RATIO },
    }),
    ratioRow({
      id: 'S2',
      what: 'from POST start to the game process, with no supervisor running',
      unit: 'ms',
      comparedWith: 'Node.js and node-pty alone',
      turns: gameStart,
      goal: { atMost: MOST_S2_RATIO },
    }),
  ];
}

/** Returns a function that measures one start of a server, after a first one. The port is fixed, so that /health can be polled at once. */
async function serverStarts(command: readonly string[]): Promise<() => Promise<number>> {
  const port = await freePort();
  const env = { ...process.env, GAMEKEEPER_PORT: String(port), GAMEKEEPER_REMOTE_PORT: '0' };
  const measure = async () => {
    const start = performance.now();
    const child = spawn(process.execPath, command, { env, stdio: 'ignore' });
    while (!(await isHealthy(port))) await sleep(POLL_MS);
    const elapsed = performance.now() - start;
    child.kill('SIGTERM');
    await once(child, 'exit');
    return elapsed;
  };
  await measure();
  return measure;
}

async function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false, // Not listening yet.
  );
}

/** Returns a function that measures the start of a new instance, which has no supervisor yet. */
async function gameStarts(cleanup: AsyncDisposableStack): Promise<() => Promise<number>> {
  const gamekeeper = await startForBench(cleanup);
  let made = 0;
  const measure = async () => {
    const id = `game-${++made}`;
    await gamekeeper.api('POST', '/instances', {
      name: id,
      id,
      software: 'custom',
      port: await freePort(),
      launch: { command: PROGRAM },
    });
    const start = now();
    await gamekeeper.api('POST', `/instances/${id}/start`);
    const spawned = await startTimeIn(path.join(gamekeeper.home, 'instances', id));
    await gamekeeper.api('POST', `/instances/${id}/kill`);
    await until(
      'the game process has ended',
      () => !processesOf(gamekeeper.home).some(({ command }) => command === 'sleep 600'),
    );
    return spawned - start;
  };
  await measure();
  return measure;
}

/** Resolves to the time from the start of a new Node.js process to the program's, in milliseconds. */
async function bareStart(parent: string): Promise<number> {
  const folder = mkdtempSync(path.join(parent, 'bare-'));
  const start = now();
  const child = spawn(process.execPath, [BARE_START, folder, ...PROGRAM], { stdio: 'ignore' });
  const spawned = await startTimeIn(folder);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return spawned - start;
}

/** Resolves to the time that the program in this folder has written, in milliseconds since 1970. */
async function startTimeIn(folder: string): Promise<number> {
  const file = path.join(folder, 'started');
  await until('the game process runs', () => existsSync(file));
  return Number(readFileSync(file, 'utf8')) / 1e6;
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
