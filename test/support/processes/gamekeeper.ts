import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import type { CreatedToken } from '../../../shared/schema/credentials.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { type ConsoleViewer, openConsole } from '../console/console-viewer.ts';
import { type Answer, requestJson } from '../http/request-json.ts';
import { freePort } from '../machine/free-port.ts';
import { until } from '../machine/until.ts';
import { DaemonProcess } from './daemon-process.ts';
import { processesOf } from './leftovers.ts';

const COMMAND_LINE = join(import.meta.dirname, '../../../dist/daemon/cli/main.js');

/** The password of `admin` in every test's data directory. */
const PASSWORD = 'correct horse battery staple';

export interface GamekeeperOptions {
  /** Content of `settings.json`. */
  settings?: object;
  /** Added to the daemon's environment. */
  env?: Record<string, string>;
}

/** A running Gamekeeper with its own data directory and ports. */
export interface Gamekeeper {
  readonly home: string;
  readonly password: string;
  /** Returns the pid of the current daemon. */
  pid(): number;
  /** Returns the base URLs of the listeners, from `run/daemon.json`. */
  addresses(): { panel: string; remote: string };
  /** Returns everything that the daemon printed over all its starts. */
  output(): string;
  /** Signs in as `admin`. Resolves to the value of a `Cookie` header. */
  login(): Promise<string>;
  /** Creates a bearer token. Without scopes it is unrestricted. */
  token(options?: { scopes?: Scope[] }): Promise<string>;
  /** Sends a request to the panel's listener, with an unrestricted token unless `headers` are given. */
  api<T = unknown>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer<T>>;
  /** Opens a console over WebSocket until the end of the test. */
  console(id: string): Promise<ConsoleViewer>;
  /** Runs the `gamekeeper` command against this data directory. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Waits until the instance has this status. The error of a timeout has its last status and console lines. */
  waitForStatus(id: string, status: Instance['status'], options?: { deadlineMs: number }): Promise<Instance>;
  /** Sends a signal to the daemon and waits for its end. */
  endDaemon(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Starts a daemon in the same data directory after `endDaemon`. */
  startDaemon(): Promise<void>;
  /** Ends everything and removes the data directory. Called at the end of the test. Fails the test if a gateway or jobs process is left. */
  stop(): Promise<void>;
}

/** Starts the built daemon with a new data directory until the end of the test. Resolves when it is ready. */
export async function startGamekeeper(t: Test, { settings, env }: GamekeeperOptions = {}): Promise<Gamekeeper> {
  // Short, unlike `t.testdir()`: a socket path may have only 103 bytes.
  const home = mkdtempSync(join(tmpdir(), 'gk-'));
  const consoles: ConsoleViewer[] = [];
  const daemon = new DaemonProcess(home, {
    GAMEKEEPER_PORT: '0',
    GAMEKEEPER_REMOTE_PORT: '0',
    GAMEKEEPER_ADMIN_PASSWORD: PASSWORD,
    ...env,
  });
  let adminToken: string | undefined;
  let stopped = false;
  t.teardown(() => gamekeeper.stop());

  const gamekeeper: Gamekeeper = {
    home,
    password: PASSWORD,
    pid: () => daemon.pid,
    addresses: () => JSON.parse(readFileSync(join(home, 'run/daemon.json'), 'utf8')),
    output: () => daemon.output,

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
        execFile(process.execPath, [COMMAND_LINE, ...args], options, (error, stdout, stderr) => {
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

    endDaemon: (signal) => daemon.end(signal),
    startDaemon: () => daemon.start(),

    async stop() {
      if (stopped) return;
      stopped = true;
      await Promise.all(consoles.map((viewer) => viewer.close()));
      if (daemon.runs) await daemon.end('SIGTERM').catch((error: Error) => t.fail(error.message));
      await endRest(t, home);
      await rm(home, { recursive: true, force: true });
    },
  };

  function request<T>(method: string, path: string, body?: object, headers?: Record<string, string>) {
    return requestJson<T>(method, new URL(path, gamekeeper.addresses().panel), { body, headers });
  }

  if (settings) await writeFile(join(home, 'settings.json'), JSON.stringify(settings));
  await daemon.start();
  return gamekeeper;
}

/** Supervisors and their game servers outlive a daemon on purpose; gateway and jobs must not. */
async function endRest(t: Test, home: string): Promise<void> {
  const mayOutlive = ({ command }: { command: string }) => !/gateway\/main|workers\/jobs|daemon\/main/.test(command);
  await until('gateway and jobs have ended', () => processesOf(home).every(mayOutlive), {
    deadlineMs: 10_000,
    describe: () => processesOf(home),
  }).catch((error: Error) => t.fail(error.message));
  await until('no process is left', () => {
    const left = processesOf(home);
    for (const { pid } of left) kill(pid);
    return left.length === 0;
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
}

/**
 * Adds a free port to the request for a new server without one: tests run in parallel, and each Gamekeeper knows only its own servers.
 * `port: undefined` leaves the choice to Gamekeeper.
 */
async function withOwnPort(body: object | undefined): Promise<object | undefined> {
  const needsPort = body && 'software' in body && !('port' in body) && !('directory' in body);
  return needsPort ? { ...body, port: await freePort() } : body;
}
