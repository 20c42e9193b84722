/** A game server that floods its console, and viewers of it in processes of their own, so that their work is not measured. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import type { BenchGamekeeper } from '../running-gamekeeper.ts';
import type { Account, StallOrder } from './stalled-viewer.ts';
import type { Seen, ViewerNews, ViewerOrder } from './viewer.ts';

const HERE = import.meta.dirname;

/** Length of one flood, unless a measurement sets another. */
export const FLOOD_LINES = 1_000_000;
export const LINE_BYTES = 100;
export const FLOOD_MB = (FLOOD_LINES * LINE_BYTES) / 1e6;

/** What is measured: a Gamekeeper with the flooder running, and a viewer of its console. */
export interface Subject {
  gamekeeper: BenchGamekeeper;
  viewer: ChildProcess;
}

export interface Programs {
  flood: string;
  reader: string;
}

export function compile(cleanup: AsyncDisposableStack): Programs {
  const folder = temporaryFolder(cleanup);
  const programs = { flood: path.join(folder, 'flood'), reader: path.join(folder, 'pty-reader') };
  execFileSync('cc', ['-O2', '-o', programs.flood, path.join(HERE, 'flood.c')]);
  execFileSync('cc', ['-O2', '-o', programs.reader, path.join(HERE, 'pty-reader.c'), '-lutil']);
  return programs;
}

export function temporaryFolder(cleanup: AsyncDisposableStack): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates and starts the instance `flood`. Resolves to the pid of its supervisor. */
export async function startFlooder(gamekeeper: BenchGamekeeper, program: string): Promise<number> {
  await gamekeeper.api('POST', '/instances', {
    name: 'Flood',
    software: 'custom',
    port: await freePort(),
    launch: { command: [program] },
    readyPattern: '^Done \\(',
  });
  await gamekeeper.api('POST', '/instances/flood/start');
  await until(
    'the flooder runs',
    async () => (await gamekeeper.api<{ status: string }>('GET', '/instances/flood')).status === 'running',
  );
  return gamekeeper.pidOf(/workers\/supervisor/);
}

/** Starts a process with this many connections to the console. `bytesPerSecond`: the speed of all but the first. */
export async function startViewer(
  cleanup: AsyncDisposableStack,
  gamekeeper: BenchGamekeeper,
  {
    count = 1,
    authorization = gamekeeper.authorization,
    bytesPerSecond,
  }: { count?: number; authorization?: string; bytesPerSecond?: number | undefined } = {},
): Promise<ChildProcess> {
  const viewer = fork(path.join(HERE, 'viewer.ts'));
  cleanup.defer(() => void viewer.kill());
  const slow = bytesPerSecond === undefined ? {} : { bytesPerSecond };
  viewer.send({ order: 'connect', url: consoleUrl(gamekeeper), authorization, count, ...slow } satisfies ViewerOrder);
  await once(viewer, 'message');
  return viewer;
}

/** Starts a viewer that stops reading as soon as it is connected. */
export async function startStalledViewer(
  cleanup: AsyncDisposableStack,
  gamekeeper: BenchGamekeeper,
): Promise<{ resume(): void; account(floods: number): Promise<Account> }> {
  const viewer = fork(path.join(HERE, 'stalled-viewer.ts'));
  cleanup.defer(() => void viewer.kill());
  const send = (order: StallOrder) => void viewer.send(order);
  const { authorization } = gamekeeper;
  send({ order: 'connect', url: consoleUrl(gamekeeper), authorization, lines: FLOOD_LINES });
  await once(viewer, 'message');
  send({ order: 'stall' });
  return {
    resume: () => send({ order: 'resume' }),
    async account(floods) {
      send({ order: 'report', floods });
      const [account] = (await once(viewer, 'message')) as [Account];
      viewer.kill();
      return account;
    },
  };
}

/** Prints `lines` lines as fast as the terminal takes them, and waits until the viewer has received them. */
export const flood = (viewer: ChildProcess, lines: number) => command(viewer, `go ${lines}`, lines);

/** Makes the viewer type a command into the flooder's console, and waits until it has received the lines that it prints. */
export async function command(viewer: ChildProcess, line: string, lines: number): Promise<Seen> {
  const complete = once(viewer, 'message') as Promise<[ViewerNews & Seen]>;
  viewer.send({ order: 'type', line, lines } satisfies ViewerOrder);
  const [seen] = await complete;
  return seen;
}

function consoleUrl({ panel }: BenchGamekeeper): string {
  return `${panel.replace(/^http/, 'ws')}/ws/instances/flood/console`;
}
