import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Test } from 'tap';
import type { RelayServerOptions } from './relay-server.ts';

const FIXTURE = path.join(import.meta.dirname, '../../fixtures/relay-server.ts');

export interface RelayReport {
  links: number;
  memory: NodeJS.MemoryUsage;
  /** Microseconds since the start of the process. */
  cpu: NodeJS.CpuUsage;
}

/** A relay as a process of its own. */
export interface RelayProcess {
  issuer: string;
  signal(name: NodeJS.Signals): void;
  report(): Promise<RelayReport>;
  /** Kills the process with SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts another at the same address after `kill`. */
  start(): Promise<void>;
}

/** Starts a relay until the end of the test. */
export async function startRelayProcess(t: Pick<Test, 'teardown'>, options: RelayServerOptions): Promise<RelayProcess> {
  let child: ChildProcess;
  async function start(): Promise<void> {
    child = fork(FIXTURE, { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.send(options);
    await once(child, 'message');
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await start();
  t.teardown(kill);
  return {
    issuer: `http://127.0.0.1:${options.port}`,
    signal: (name) => void child.kill(name),
    async report() {
      child.send('report');
      const [report] = (await once(child, 'message')) as [RelayReport];
      return report;
    },
    kill,
    start,
  };
}
