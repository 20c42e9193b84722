/** A Gamekeeper with a server that floods its console, and viewers of it. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import WebSocket from 'ws';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import type { BenchGamekeeper } from '../running-gamekeeper.ts';
import type { Account, StallOrder } from './stalled-viewer.ts';
import type { Seen, ViewerNews, ViewerOrder } from './viewer.ts';

const HERE = import.meta.dirname;

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

/** Returns the pid of its supervisor. */
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
    'it runs',
    async () => (await gamekeeper.api<{ status: string }>('GET', '/instances/flood')).status === 'running',
  );
  return gamekeeper.pidOf(/workers\/supervisor/);
}

export async function startViewer(
  cleanup: AsyncDisposableStack,
  gamekeeper: BenchGamekeeper,
  count: number,
  ownToken = false,
): Promise<ChildProcess> {
  const viewer = fork(path.join(HERE, 'viewer.ts'));
  cleanup.defer(() => void viewer.kill());
  const authorization = ownToken ? await gamekeeper.mint() : gamekeeper.authorization;
  viewer.send({ order: 'connect', url: consoleUrl(gamekeeper), authorization, count } satisfies ViewerOrder);
  await once(viewer, 'message');
  return viewer;
}

/** Starts a viewer that does not read any more once it is connected. */
export async function startStalledViewer(
  cleanup: AsyncDisposableStack,
  gamekeeper: BenchGamekeeper,
  lines: number,
): Promise<{ readOn(): void; account(floods: number): Promise<Account> }> {
  const viewer = fork(path.join(HERE, 'stalled-viewer.ts'));
  cleanup.defer(() => void viewer.kill());
  const say = (order: StallOrder) => void viewer.send(order);
  say({ order: 'connect', url: consoleUrl(gamekeeper), authorization: gamekeeper.authorization, lines });
  await once(viewer, 'message');
  say({ order: 'stall' });
  return {
    readOn: () => say({ order: 'read on' }),
    async account(floods) {
      say({ order: 'report', floods });
      const [account] = (await once(viewer, 'message')) as [Account];
      viewer.kill();
      return account;
    },
  };
}

export const flood = (gamekeeper: BenchGamekeeper, viewer: ChildProcess, lines: number) =>
  command(gamekeeper, viewer, `go ${lines}`, lines);

/** Has the flooder print, and waits until the viewer has seen all of it. */
export async function command(
  gamekeeper: BenchGamekeeper,
  viewer: ChildProcess,
  line: string,
  lines: number,
): Promise<Seen> {
  viewer.send({ order: 'expect', lines } satisfies ViewerOrder);
  const complete = once(viewer, 'message') as Promise<[ViewerNews & Seen]>;
  // Typed, not sent as a command: that would wait for what the console answers.
  const socket = new WebSocket(`${consoleUrl(gamekeeper)}?ticket=${await ticket(gamekeeper)}`);
  await once(socket, 'open');
  socket.send(line);
  const [seen] = await complete;
  socket.close();
  return seen;
}

function consoleUrl({ panel }: BenchGamekeeper): string {
  return `${panel.replace(/^http/, 'ws')}/ws/instances/flood/console`;
}

async function ticket(gamekeeper: BenchGamekeeper): Promise<string> {
  return (await gamekeeper.api<{ ticket: string }>('POST', '/api/instances/flood/console-ticket')).ticket;
}
