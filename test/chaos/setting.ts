import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CreatedToken } from '../../shared/schema/credentials.ts';
import { requestJson } from '../support/http/request-json.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { type KeptDaemon, keepDaemon } from './kept-daemon.ts';
import type { Credentials } from './patient-client.ts';

const PASSWORD = 'correct horse battery staple';
const COUNTING = pathToFileURL(path.join(import.meta.dirname, '../fixtures/counting-game.ts')).href;
const MINI_SERVER = path.join(import.meta.dirname, '../fixtures/MiniServer.java');
const WHATEVER_HAPPENS = { restart: 'always', maxRestarts: 100, windowSeconds: 60 } as const;
/** Each has another crash policy: none that matters, restarts without end, the usual one; a JVM, which outlives its supervisor. */
const SERVERS = [
  { name: 'One', crashPolicy: { restart: 'never' } },
  { name: 'Two', crashPolicy: WHATEVER_HAPPENS },
  { name: 'Three', crashPolicy: {} },
  { name: 'Java', crashPolicy: WHATEVER_HAPPENS },
] as const;
/** What servers and settings begin with; requests are never too many. */
export const FIRST = { memoryMb: 1_000, burst: 1_000_000 };
const STOP_TIMEOUT_S = 10;
const SMALL_JVM = ['-Xmx32M', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const COUNT_EVERY_MS = 20;

/** A Gamekeeper with four servers, at the ports of which it is always found. */
export interface Setting {
  home: string;
  panel: string;
  daemon: KeptDaemon;
  credentials: Credentials;
  /** `comesBack`: its crash policy restarts it whatever happens. */
  servers: ReadonlyArray<{ id: string; comesBack: boolean }>;
}

/** Starts it, and the servers; all of it ends with `cleanup`, but for its folder where `keep` says so. */
export async function setTheScene(
  cleanup: AsyncDisposableStack,
  { keep, onFault }: { keep: () => boolean; onFault: (what: string) => void },
): Promise<Setting> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-chaos-'));
  cleanup.defer(() => {
    if (!keep()) rmSync(home, { recursive: true, force: true });
  });
  const port = await freePort();
  const panel = `http://127.0.0.1:${port}`;
  cleanup.defer(() => endRest(home));
  const env = { GAMEKEEPER_PORT: String(port), GAMEKEEPER_REMOTE_PORT: '0', GAMEKEEPER_ADMIN_PASSWORD: PASSWORD };
  const daemon = keepDaemon({ home, env, onFault });
  cleanup.defer(() => daemon.stop());
  await daemon.ready();

  const login = { username: 'admin', password: PASSWORD };
  const signedIn = await requestJson('POST', new URL('/api/login', panel), { body: login });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';', 1).join();
  const asAdmin = { cookie, origin: panel };
  const minted = await ask<CreatedToken>('POST', '/api/tokens', { name: 'owner' }, asAdmin);
  const credentials = { cookie, token: minted.token };
  await ask('PUT', '/api/settings', { limits: { burst: FIRST.burst, requestsPerSecond: FIRST.burst } }, asAdmin);
  for (const { name, crashPolicy } of SERVERS) {
    const id = name.toLowerCase();
    const software = name === 'Java' ? await aJvm() : await aDemo();
    const common = { name, memoryMb: FIRST.memoryMb, stopTimeoutSeconds: STOP_TIMEOUT_S, crashPolicy };
    await ask('POST', '/instances', { ...common, ...software });
    if (name === 'Java') await compile(MINI_SERVER, path.join(home, 'instances', id));
    await ask('POST', `/instances/${id}/start`);
  }
  const servers = SERVERS.map(({ name, crashPolicy }) => ({
    id: name.toLowerCase(),
    comesBack: crashPolicy === WHATEVER_HAPPENS,
  }));
  return { home, panel, daemon, credentials, servers };

  async function ask<T>(method: string, route: string, body?: object, headers?: Record<string, string>): Promise<T> {
    const answer = await requestJson<T>(method, new URL(route, panel), {
      body,
      headers: headers ?? { authorization: `Bearer ${credentials.token}` },
    });
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

async function aDemo(): Promise<object> {
  return { software: 'demo', port: await freePort(), env: { NODE_OPTIONS: `--import=${COUNTING}` } };
}

async function aJvm(): Promise<object> {
  const port = await freePort();
  return {
    software: 'custom',
    launch: {
      command: ['java', ...SMALL_JVM, '-cp', '.', 'MiniServer', String(port), PASSWORD, String(COUNT_EVERY_MS)],
    },
    readyPattern: String.raw`^Done \(`,
    rcon: { port, password: PASSWORD },
  };
}

/** Once, since a JVM that compiles its program at every start takes two seconds of both cores. */
async function compile(source: string, folder: string): Promise<void> {
  await promisify(execFile)('java', ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-d', folder, source]);
}

/** Supervisors and their games outlive the daemon on purpose. */
async function endRest(home: string): Promise<void> {
  await until('nothing is left', () => {
    const left = processesOf(home);
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself in the meantime.
      }
    }
    return left.length === 0;
  });
}
