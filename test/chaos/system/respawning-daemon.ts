import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/machine/until.ts';

const DAEMON = path.join(import.meta.dirname, '../../../dist/daemon/main.js');
/** A start takes half a second, or more if processes of the previous daemon are paused. Milliseconds. */
const READY_DEADLINE_MS = 60_000;
/** How long the daemon may take to end, servers included. Milliseconds. */
const END_DEADLINE_MS = 60_000;
/** Pause before a daemon that ended on its own is started again. Milliseconds. */
const RESPAWN_DELAY_MS = 500;
const KEPT_OUTPUT = 2_000;

/** A daemon that is started again whenever it ends, as a service manager would do. */
export interface RespawningDaemon {
  /** The pid while the daemon runs, ready or not. `undefined` from the moment it is being ended. */
  pid(): number | undefined;
  /** Resolves when the daemon is ready. */
  ready(): Promise<void>;
  /** Kills the daemon and starts the next one after this delay. Resolves before that one is ready, so it may be killed while it starts. */
  kill(backAfterMs: number): Promise<void>;
  /** Calls `request`, which must make the daemon end, and waits for the end. The daemon is not started again. */
  end(request: () => Promise<unknown>): Promise<void>;
  /** Ends the daemon with SIGTERM if it runs. It is not started again. */
  stop(): Promise<void>;
}

export interface RespawningDaemonOptions {
  home: string;
  env: Readonly<Record<string, string>>;
  /** Called when the daemon ends although nobody killed it. */
  onFault(what: string): void;
}

export function startRespawningDaemon({ home, env, onFault }: RespawningDaemonOptions): RespawningDaemon {
  let child: ChildProcess;
  let printed = '';
  let isReady = false;
  let isExpected = false;
  let stopped = false;
  start();

  function start(): void {
    printed = '';
    isReady = false;
    isExpected = false;
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
      if (isExpected || stopped) return;
      onFault(`the daemon ended on its own (${signal ?? `status ${code}`}): ${printed}`);
      setTimeout(() => {
        if (child === started && !stopped) start();
      }, RESPAWN_DELAY_MS);
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
    pid: () => (isExpected || stopped || hasEnded() ? undefined : child.pid),
    ready,
    async kill(backAfterMs) {
      isExpected = true;
      await end('SIGKILL');
      await sleep(backAfterMs);
      start();
    },
    async end(request) {
      stopped = true;
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(END_DEADLINE_MS) });
      await Promise.all([request(), ended]);
    },
    async stop() {
      stopped = true;
      await end('SIGTERM');
    },
  };
}
