import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { type Requirer, requireProgram } from '../machine/system-packages.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';

const run = promisify(execFile);

export interface Postgres {
  /** Creates an empty database. Resolves to its URL. */
  database(): Promise<string>;
  stop(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT to all of its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  start(): Promise<void>;
}

interface ServerOptions {
  /** The folder of its socket. */
  home: string;
  data: string;
  owner: { uid?: number; gid?: number };
}

class Server {
  readonly #program: string;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;

  constructor(program: string, options: ServerOptions) {
    this.#program = program;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { home, data, owner } = this.#options;
    // Only over a socket in its own folder. The tests do not survive a power cut, so it need not either.
    const options = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${home}`, '-c', 'fsync=off'];
    const child = spawn(this.#program, ['-D', data, ...options], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await until('PostgreSQL is ready', () => printed.includes('ready to accept'), { describe: () => printed });
  }

  signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    // Stopped first, it starts no more of them, and the dead ones stay known; continued last, it hears of all.
    if (signal === 'SIGSTOP') process.kill(pid, signal);
    for (const one of children()) process.kill(one, signal);
    if (signal === 'SIGCONT') process.kill(pid, signal);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGQUIT');
    await once(child, 'exit');
  }
}

/** Starts Debian's PostgreSQL with a new data directory until the end of the test. Resolves to `undefined` if it is not installed. */
export async function startPostgres(t: Requirer & Pick<Test, 'teardown'>): Promise<Postgres | undefined> {
  if (!requireProgram(t, 'pg_ctlcluster', 'postgresql')) return undefined;
  const [programs = ''] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  const home = temporaryFolder(t);
  const data = join(home, 'data');
  mkdirSync(data);
  const owner = ownerFor(home, data);
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'test', '--auth=trust', '--no-sync'], owner);
  const server = new Server(join(programs, 'postgres'), { home, data, owner });
  t.teardown(() => server.stop());
  await server.start();
  let count = 0;
  return {
    stop: () => server.stop(),
    start: () => server.start(),
    signal: (signal) => server.signal(signal),
    async database() {
      const name = `test${++count}`;
      await run(join(programs, 'createdb'), ['-h', home, '-U', 'test', name], owner);
      return `postgres://test@localhost/${name}?host=${encodeURIComponent(home)}`;
    },
  };
}

/** PostgreSQL refuses to run as root, so it runs as the user that its package created. */
function ownerFor(...folders: string[]): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('postgres:'));
  const [, , uid, gid] = (entry ?? '').split(':').map(Number);
  if (!uid || !gid) throw new Error('There is no user "postgres".');
  for (const folder of folders) chownSync(folder, uid, gid);
  return { uid, gid };
}
