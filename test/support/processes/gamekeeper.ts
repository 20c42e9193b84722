import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Scope } from '../../../shared/domain/scope.ts';
import type { CreatedToken } from '../../../shared/schema/credentials.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { type ConsoleViewer, openConsole } from '../console/console-viewer.ts';
import { type Answer, requestJson } from '../http/request-json.ts';
import { freePort } from '../machine/free-port.ts';
import { until } from '../machine/until.ts';
import { processesOf } from './leftovers.ts';

const DIST = join(import.meta.dirname, '../../../dist');

/** The password of `admin` in every test's data directory. */
const PASSWORD = 'correct horse battery staple';

/** A daemon that is told to end must have ended within this many milliseconds, its gateway and jobs 1 s later. */
const END_DEADLINE_MS = 10_000;

/** How a test wants its Gamekeeper. */
export interface GamekeeperOptions {
  /** Content of `settings.json`. */
  settings?: object;
  /** Added to the daemon's environment. */
  env?: Record<string, string>;
}

/** A Gamekeeper of the test's own: its own data directory, its own ports. */
export interface Gamekeeper {
  readonly home: string;
  readonly password: string;
  /** Process id of the daemon that runs now. */
  pid(): number;
  /** Base URLs of the listeners, from `run/daemon.json`. */
  addresses(): { panel: string; remote: string };
  /** Everything that the daemon printed, over all its starts. */
  output(): string;
  /** Signs in as `admin`; returns the value for a `Cookie` header. */
  login(): Promise<string>;
  /** Mints a bearer token; without scopes it may do everything. */
  token(options?: { scopes?: Scope[] }): Promise<string>;
  /** One request to the panel's listener, with a token that may do everything unless `headers` says otherwise. */
  api<T = unknown>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
  /** Opens the console over WebSocket; closed with the test. */
  console(id: string): Promise<ConsoleViewer>;
  /** Runs the `gamekeeper` command against this data directory. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Waits until the instance reports this status; the error tells what it reported instead, and its last lines. */
  waitForStatus(id: string, status: Instance['status'], options?: { deadlineMs: number }): Promise<Instance>;
  /** Ends the daemon with a signal, and waits for its end. Game servers go on. */
  endDaemon(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Starts a daemon on the same data directory, after `endDaemon`. */
  startDaemon(): Promise<void>;
  /** Ends everything and removes the data directory; done by itself with the test. Fails the test if a gateway or jobs process stays. */
  stop(): Promise<void>;
}

/** Starts the built daemon on a new data directory, ready when it says so, gone with the test. */
export async function startGamekeeper(t: Test, { settings, env }: GamekeeperOptions = {}): Promise<Gamekeeper> {
  // Short, unlike `t.testdir()`: a socket path may have 103 bytes.
  const home = mkdtempSync(join(tmpdir(), 'gk-'));
  const consoles: ConsoleViewer[] = [];
  let printed = '';
  let daemon: ChildProcess | undefined;
  let adminToken: string | undefined;
  let stopped = false;
  t.teardown(() => gamekeeper.stop());

  const gamekeeper: Gamekeeper = {
    home,
    password: PASSWORD,
    pid: () => running().pid ?? 0,
    addresses: () => JSON.parse(readFileSync(join(home, 'run/daemon.json'), 'utf8')),
    output: () => printed,

    async login() {
      const answer = await request('POST', '/api/login', { username: 'admin', password: PASSWORD });
      const cookie = answer.headers.getSetCookie().find((value) => value.startsWith('RemoteCookies='));
      if (cookie === undefined) throw new Error(`Cannot sign in: ${answer.status} ${JSON.stringify(answer.body)}`);
      return cookie.split(';', 1).join();
    },

    async token({ scopes } = {}) {
      const cookie = await gamekeeper.login();
      const origin = new URL(gamekeeper.addresses().panel).origin;
      const answer = await request<CreatedToken>(
        'POST',
        '/api/tokens',
        { name: 'test', ...(scopes && { scopes }) },
        { cookie, origin },
      );
      if (answer.status !== 201) throw new Error(`No token: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.token;
    },

    async api(method, path, body, headers) {
      adminToken ??= await gamekeeper.token();
      const sent = method === 'POST' && path === '/instances' ? await withOwnPort(body) : body;
      return request(method, path, sent, headers ?? { authorization: `Bearer ${adminToken}` });
    },

    async console(id) {
      adminToken ??= await gamekeeper.token();
      const url = `${gamekeeper.addresses().panel.replace(/^http/, 'ws')}/ws/instances/${id}/console`;
      const viewer = await openConsole(url, { authorization: `Bearer ${adminToken}` });
      consoles.push(viewer);
      return viewer;
    },

    cli: (...args) =>
      new Promise((resolve) => {
        const options = { env: { ...process.env, GAMEKEEPER_HOME: home, CI: 'true' } };
        execFile(process.execPath, [join(DIST, 'daemon/cli/main.js'), ...args], options, (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
        });
      }),

    waitForStatus(id, status, options) {
      let last: Instance | undefined;
      return until(
        `${id} is ${status}`,
        async () => {
          last = (await gamekeeper.api<Instance>('GET', `/instances/${id}`)).body;
          return last.status === status && last;
        },
        {
          ...options,
          describe: async () => ({ last, log: (await gamekeeper.api('GET', `/instances/${id}/logs?lines=20`)).body }),
        },
      );
    },

    async endDaemon(signal) {
      const ending = running();
      ending.kill(signal);
      await until('the daemon has ended', () => hasEnded(ending), {
        deadlineMs: END_DEADLINE_MS,
        describe: () => printed,
      });
      daemon = undefined;
    },

    async startDaemon() {
      const child = spawn(process.execPath, [join(DIST, 'daemon/main.js'), '--home', home], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          GAMEKEEPER_PORT: '0',
          GAMEKEEPER_REMOTE_PORT: '0',
          GAMEKEEPER_ADMIN_PASSWORD: PASSWORD,
          ...env,
        },
      });
      daemon = child;
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
      }
      const already = printed.length;
      await until(
        'the daemon is ready',
        () => {
          if (hasEnded(child)) throw new Error(`The daemon ended with status ${child.exitCode}:\n${printed}`);
          return printed.slice(already).includes('Gamekeeper is ready');
        },
        { describe: () => printed },
      );
    },

    async stop() {
      if (stopped) return;
      stopped = true;
      await Promise.all(consoles.map((viewer) => viewer.close()));
      if (daemon) await gamekeeper.endDaemon('SIGTERM').catch((error: Error) => t.fail(error.message));
      await endRest(t, home);
      await rm(home, { recursive: true, force: true });
    },
  };

  function running(): ChildProcess {
    if (daemon === undefined) throw new Error('The daemon was ended.');
    return daemon;
  }

  function request<T>(method: string, path: string, body?: object, headers?: Record<string, string>) {
    return requestJson<T>(method, new URL(path, gamekeeper.addresses().panel), { body, headers });
  }

  if (settings) await writeFile(join(home, 'settings.json'), JSON.stringify(settings));
  await gamekeeper.startDaemon();
  return gamekeeper;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Supervisors and their game servers outlive a daemon on purpose, nothing else does. */
async function endRest(t: Test, home: string): Promise<void> {
  const mayOutlive = ({ command }: { command: string }) => !/gateway|workers\/jobs|daemon\/main/.test(command);
  await until('gateway and jobs have ended', () => processesOf(home).every(mayOutlive), {
    deadlineMs: 2_000,
    describe: () => processesOf(home),
  }).catch((error: Error) => t.fail(error.message));
  await until('nothing is left', () => {
    const left = processesOf(home);
    for (const { pid } of left) kill(pid);
    return left.length === 0;
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * A demo server that names no port gets one of its own: tests run side by side, each with a Gamekeeper that knows nothing of the other's
 * servers. `port: undefined` leaves the choice to Gamekeeper.
 */
async function withOwnPort(body: object | undefined): Promise<object | undefined> {
  const wantsOne =
    body && 'software' in body && body.software === 'demo' && !('port' in body) && !('directory' in body);
  return wantsOne ? { ...body, port: await freePort() } : body;
}
