import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { requestJson } from '../support/http/request-json.ts';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const DAEMON = path.join(import.meta.dirname, '../../dist/daemon/main.js');
const PASSWORD = 'correct horse battery staple';
/** Unit of CPU times in /proc; always 100 on Linux (sysconf(_SC_CLK_TCK)). */
const TICKS_PER_SECOND = 100;

/** A running Gamekeeper to measure. */
export interface BenchGamekeeper {
  readonly home: string;
  readonly panel: string;
  /** The password of `admin`. */
  readonly password: string;
  /** Value for an `Authorization` header. */
  readonly authorization: string;
  /** Resolves to another such value, for limits per credential. */
  mint(): Promise<string>;
  api<T>(method: string, path: string, body?: object): Promise<T>;
  /** Returns the pid of the process of this data directory whose command line matches. */
  pidOf(command: RegExp): number;
  /** Kills the daemon, waits until gateway and jobs have ended too, and spawns another. Does not wait until that is ready. */
  replaceDaemon(): Promise<void>;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}

/** Starts the built daemon with a new data directory. `cleanup` ends it with all its processes. `environment` is added to ours. */
export async function startForBench(
  cleanup: AsyncDisposableStack,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchGamekeeper> {
  const home = mkdtempSync(path.join(tmpdir(), 'gk-bench-'));
  cleanup.defer(() => rmSync(home, { recursive: true, force: true }));
  const start = () =>
    spawn(process.execPath, [DAEMON, '--home', home], {
      env: {
        ...process.env,
        GAMEKEEPER_PORT: '0',
        GAMEKEEPER_REMOTE_PORT: '0',
        GAMEKEEPER_ADMIN_PASSWORD: PASSWORD,
        ...environment,
      },
      stdio: 'ignore',
    });
  let daemon = start();
  cleanup.defer(async () => {
    daemon.kill('SIGTERM');
    if (daemon.exitCode === null) await once(daemon, 'exit');
    // Supervisors and their game processes outlive the daemon on purpose.
    await until('no process is left', () => {
      const left = processesOf(home);
      for (const { pid } of left) killIfThere(pid);
      return left.length === 0;
    });
  });
  const panel = await until('the daemon is ready', () => readPanel(home));
  const login = await requestJson('POST', new URL('/api/login', panel), {
    body: { username: 'admin', password: PASSWORD },
  });
  const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!;
  async function mint(): Promise<string> {
    const minted = await requestJson<{ token: string }>('POST', new URL('/api/tokens', panel), {
      body: { name: 'bench' },
      headers: { cookie, origin: panel },
    });
    return `Bearer ${minted.body.token}`;
  }
  const authorization = await mint();

  return {
    home,
    panel,
    password: PASSWORD,
    authorization,
    mint,
    async api<T>(method: string, route: string, body?: object) {
      const answer = await requestJson<T>(method, new URL(route, panel), { body, headers: { authorization } });
      if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    pidOf(command) {
      const found = processesOf(home).find((candidate) => command.test(candidate.command));
      if (!found) throw new Error(`no process matches ${command}`);
      return found.pid;
    },
    async replaceDaemon() {
      daemon.kill('SIGKILL');
      await once(daemon, 'exit');
      await until('gateway and jobs have ended', () =>
        processesOf(home).every(({ command }) => !/gateway\/main|workers\/jobs/.test(command)),
      );
      daemon = start();
    },
  };
}

/** Returns the CPU seconds that all threads of a process have used. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the resident memory of a process in MiB. */
export function residentMibOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function readPanel(home: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(path.join(home, 'run/daemon.json'), 'utf8')) as { panel: string }).panel;
  } catch {
    return undefined; // Not written yet.
  }
}
