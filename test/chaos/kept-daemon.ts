import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/machine/until.ts';

const DAEMON = path.join(import.meta.dirname, '../../dist/daemon/main.js');
/** A start takes half a second; this one may find paused processes of the one before. Milliseconds. */
const READY_DEADLINE_MS = 60_000;
/** How long it may take to end when it is told to, servers included. Milliseconds. */
const END_DEADLINE_MS = 60_000;
/** Before a daemon that has ended by itself is started again, milliseconds. */
const AGAIN_AFTER_MS = 500;
const KEPT_OUTPUT = 2_000;

/** A daemon that is started again whenever it ends, as by a service manager. */
export interface KeptDaemon {
  /** Its pid while it runs, ready or not, and nobody has ended it. */
  pid(): number | undefined;
  /** Resolves when one is ready. */
  ready(): Promise<void>;
  /** Kills it; the next is started after this long. Resolves then: it may be killed before it is ready. */
  kill(backAfterMs: number): Promise<void>;
  /** Resolves when it has ended as somebody has told it to; it is not started again. */
  end(tell: () => Promise<unknown>): Promise<void>;
  /** Ends it with SIGTERM, if it runs, and does not start it again. */
  stop(): Promise<void>;
}

export interface KeptDaemonOptions {
  home: string;
  env: Readonly<Record<string, string>>;
  /** Told of a daemon that ended though nobody killed it. */
  onFault(what: string): void;
}

export function keepDaemon({ home, env, onFault }: KeptDaemonOptions): KeptDaemon {
  let child: ChildProcess;
  let printed = '';
  let isReady = false;
  let isMeant = false;
  let stopped = false;
  start();

  function start(): void {
    printed = '';
    isReady = false;
    isMeant = false;
    const started = spawn(process.execPath, [DAEMON, '--home', home], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    child = started;
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed = (printed + text).slice(-KEPT_OUTPUT);
        isReady ||= printed.includes('Gamekeeper is ready');
      });
    started.once('exit', (code, signal) => {
      isReady = false;
      if (isMeant || stopped) return;
      onFault(`the daemon ended by itself (${signal ?? `status ${code}`}): ${printed}`);
      setTimeout(() => {
        if (child === started && !stopped) start();
      }, AGAIN_AFTER_MS);
    });
  }

  function hasEnded(): boolean {
    return child.exitCode !== null || child.signalCode !== null;
  }

  async function ready(): Promise<void> {
    await until('the daemon is ready', () => isReady, { deadlineMs: READY_DEADLINE_MS, describe: () => printed });
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (hasEnded()) return;
    isReady = false;
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(END_DEADLINE_MS) });
    child.kill(signal);
    await ended;
  }

  return {
    pid: () => (isMeant || stopped || hasEnded() ? undefined : child.pid),
    ready,
    async kill(backAfterMs) {
      isMeant = true;
      await end('SIGKILL');
      await sleep(backAfterMs);
      start();
    },
    async end(tell) {
      stopped = true;
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(END_DEADLINE_MS) });
      await Promise.all([tell(), ended]);
    },
    async stop() {
      stopped = true;
      await end('SIGTERM');
    },
  };
}
