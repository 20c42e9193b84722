import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { createAccounts } from '../../../gateway/proxy/accounts/accounts.ts';
import { withStore } from '../../../gateway/proxy/commands/with-store.ts';
import { readConfig } from '../../../gateway/proxy/startup/config.ts';
import { withSecretFiles } from '../../../gateway/proxy/startup/secret-files.ts';
import type { Store } from '../../../gateway/proxy/store/open-store.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { hashPassword } from '../../../shared/node/passwords/password-hash.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';

const PROXY = join(import.meta.dirname, '../../../dist/gateway/proxy/main.js');

export const PASSWORD = 'correct horse battery staple';

export interface RunningProxy {
  readonly home: string;
  /** The issuer. */
  readonly url: string;
  readonly pid: number;
  /** Everything printed so far. */
  output(): string;
  /** Runs a command of the proxy, with `input` on its stdin. */
  command(args: string[], input?: string): Promise<CommandResult>;
  /** Works on its database from here, because a process for each account and program takes longer than most tests. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Creates an account with PASSWORD. */
  addUser(name: string): Promise<void>;
  /** Sends a signal and waits for the end. Resolves to the exit status. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  start(): Promise<void>;
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the built proxy with a new data directory until the end of the test. Resolves when it is ready. */
export async function startProxy(
  t: Test,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<RunningProxy> {
  const home = temporaryFolder(t);
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    GAMEKEEPER_PROXY_HOME: home,
    GAMEKEEPER_PROXY_PORT: '0',
    ...env,
  };
  const record = join(home, 'run/proxy.json');
  let child: ChildProcess | undefined;
  let printed = '';

  const proxy: RunningProxy = {
    home,
    get url() {
      return String(JSON.parse(readFileSync(record, 'utf8')).url);
    },
    get pid() {
      return child?.pid ?? 0;
    },
    output: () => printed,
    command: (args, input) => runProxyCommand(args, environment, input),
    withStore: (work) => withStore(readConfig(withSecretFiles(environment)), work),
    async addUser(name) {
      const account = { name, passwordHash: await hashPassword(PASSWORD), isAdmin: false };
      await proxy.withStore(({ database }) => createAccounts(database, Date.now).add(account));
    },
    async end(signal = 'SIGTERM') {
      const ending = child;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
      ending.kill(signal);
      await once(ending, 'exit');
      return ending.exitCode;
    },
    async start() {
      const started = spawn(process.execPath, [PROXY, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: environment,
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          printed += chunk;
        });
      await until(
        'the proxy is ready',
        () => {
          if (started.exitCode !== null)
            throw new Error(`The proxy ended with status ${started.exitCode}:\n${printed}`);
          return pidIn(record) === started.pid;
        },
        { describe: () => printed },
      );
    },
  };
  t.teardown(() => proxy.end());
  await proxy.start();
  return proxy;
}

/** Returns the pid in the record of a proxy, which the next one removes at its start. */
function pidIn(record: string): number | undefined {
  try {
    return JSON.parse(readFileSync(record, 'utf8')).pid;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Runs the built proxy's program to its end. */
async function runProxyCommand(args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<CommandResult> {
  const child = spawn(process.execPath, [PROXY, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
  child.stdin.on('error', () => undefined); // A command that reads nothing may end first.
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}
