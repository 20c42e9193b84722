import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CreatedToken } from '../../../shared/schema/credentials.ts';
import { requestJson } from '../../support/http/request-json.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { processesOf } from '../../support/processes/leftovers.ts';
import type { Credentials } from '../owner/patient-client.ts';
import { type RespawningDaemon, startRespawningDaemon } from './respawning-daemon.ts';

const PASSWORD = 'correct horse battery staple';
const COUNTING = pathToFileURL(path.join(import.meta.dirname, '../../fixtures/counting-game.ts')).href;
const NATIVE_GAME = path.join(import.meta.dirname, '../../fixtures/native-game.sh');
const MINI_SERVER = path.join(import.meta.dirname, '../../fixtures/MiniServer.java');
const ALWAYS_RESTART = { restart: 'always', maxRestarts: 100, windowSeconds: 60 } as const;
/** Each has a different crash policy. "Java" is a JVM, "Native" a program that ends with its terminal. */
const SERVERS = [
  { name: 'One', software: demoSoftware, crashPolicy: { restart: 'never' } },
  { name: 'Two', software: demoSoftware, crashPolicy: ALWAYS_RESTART },
  { name: 'Three', software: demoSoftware, crashPolicy: {} },
  { name: 'Java', software: jvmSoftware, crashPolicy: ALWAYS_RESTART },
  { name: 'Native', software: nativeSoftware, crashPolicy: ALWAYS_RESTART },
] as const;
/** The values that the steps change. The burst is so high that no request is rate limited. */
export const INITIAL = { memoryMb: 1_000, burst: 1_000_000 };
const STOP_TIMEOUT_S = 10;
const SMALL_JVM = ['-Xmx32M', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const COUNT_EVERY_MS = 20;

/** A Gamekeeper with five servers. Its port stays the same over all restarts. */
export interface ChaosSystem {
  home: string;
  panel: string;
  daemon: RespawningDaemon;
  credentials: Credentials;
  /** `comesBack`: its crash policy restarts it after every crash. */
  servers: ReadonlyArray<{ id: string; comesBack: boolean }>;
}

/** Starts the daemon and the servers. `cleanup` stops everything and removes the data directory unless `keep` returns true. */
export async function startSystem(
  cleanup: AsyncDisposableStack,
  { keep, onFault }: { keep: () => boolean; onFault: (what: string) => void },
): Promise<ChaosSystem> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-chaos-'));
  cleanup.defer(() => {
    if (!keep()) rmSync(home, { recursive: true, force: true });
  });
  const port = await freePort();
  const panel = `http://127.0.0.1:${port}`;
  cleanup.defer(() => endRest(home));
  const env = { GAMEKEEPER_PORT: String(port), GAMEKEEPER_REMOTE_PORT: '0', GAMEKEEPER_ADMIN_PASSWORD: PASSWORD };
  const daemon = startRespawningDaemon({ home, env, onFault });
  cleanup.defer(() => daemon.stop());
  await daemon.ready();

  const login = { username: 'admin', password: PASSWORD };
  const signedIn = await requestJson('POST', new URL('/api/login', panel), { body: login });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';', 1).join();
  const asAdmin = { cookie, origin: panel };
  const minted = await ask<CreatedToken>('POST', '/api/tokens', { name: 'owner' }, asAdmin);
  const credentials = { cookie, token: minted.token };
  await ask('PUT', '/api/settings', { limits: { burst: INITIAL.burst, requestsPerSecond: INITIAL.burst } }, asAdmin);
  for (const { name, software, crashPolicy } of SERVERS) {
    const id = name.toLowerCase();
    const common = { name, memoryMb: INITIAL.memoryMb, stopTimeoutSeconds: STOP_TIMEOUT_S, crashPolicy };
    await ask('POST', '/instances', { ...common, ...(await software()) });
    if (name === 'Java') await compile(MINI_SERVER, path.join(home, 'instances', id));
    await ask('POST', `/instances/${id}/start`);
  }
  const servers = SERVERS.map(({ name, crashPolicy }) => ({
    id: name.toLowerCase(),
    comesBack: crashPolicy === ALWAYS_RESTART,
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

async function demoSoftware(): Promise<object> {
  return { software: 'demo', port: await freePort(), env: { NODE_OPTIONS: `--import=${COUNTING}` } };
}

async function jvmSoftware(): Promise<object> {
  const [port, rconPort] = [await freePort(), await freePort()];
  return {
    software: 'custom',
    port,
    launch: {
      command: ['java', ...SMALL_JVM, '-cp', '.', 'MiniServer', String(rconPort), PASSWORD, String(COUNT_EVERY_MS)],
    },
    readyPattern: String.raw`^Done \(`,
    rcon: { port: rconPort, password: PASSWORD },
  };
}

async function nativeSoftware(): Promise<object> {
  const port = await freePort();
  return { software: 'custom', port, launch: { command: ['bash', NATIVE_GAME] }, readyPattern: String.raw`Done \(` };
}

/** Compiles once: a JVM that compiles its program at every start uses both cores for two seconds. */
async function compile(source: string, folder: string): Promise<void> {
  await promisify(execFile)('java', ['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-d', folder, source]);
}

/** Supervisors and their game servers outlive the daemon on purpose. */
async function endRest(home: string): Promise<void> {
  await until('no process is left', () => {
    const left = processesOf(home);
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended since.
      }
    }
    return left.length === 0;
  });
}
