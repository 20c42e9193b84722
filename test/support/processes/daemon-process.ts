import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../machine/until.ts';

const DAEMON = join(import.meta.dirname, '../../../dist/daemon/main.js');

/** How long a daemon may take to end after a signal. Milliseconds. */
const END_DEADLINE_MS = 10_000;

/** The built daemon on one data directory, as a process that a test starts and ends. */
export class DaemonProcess {
  readonly #home: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #printed = '';

  constructor(home: string, env: Readonly<Record<string, string>>) {
    this.#home = home;
    this.#env = env;
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  /** The pid of the current process. */
  get pid(): number {
    return this.#running().pid ?? 0;
  }

  /** Everything printed so far, over all starts. */
  get output(): string {
    return this.#printed;
  }

  /** Resolves when the daemon is ready. Throws if it ends before. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [DAEMON, '--home', this.#home], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#env },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#printed += text;
      });
    }
    const already = this.#printed.length;
    await until(
      'the daemon is ready',
      () => {
        if (hasEnded(child)) throw new Error(`The daemon ended with status ${child.exitCode}:\n${this.#printed}`);
        return this.#printed.slice(already).includes('Gamekeeper is ready');
      },
      { describe: () => this.#printed },
    );
  }

  /** Sends a signal and waits for the end of the process. */
  async end(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<void> {
    const ending = this.#running();
    ending.kill(signal);
    await until('the daemon has ended', () => hasEnded(ending), {
      deadlineMs: END_DEADLINE_MS,
      describe: () => this.#printed,
    });
    this.#child = undefined;
  }

  #running(): ChildProcess {
    if (this.#child === undefined) throw new Error('The daemon has ended.');
    return this.#child;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
