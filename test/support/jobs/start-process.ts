import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Test } from 'tap';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { connectJobs } from '../../../shared/node/ipc/connect.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { type FakeDaemon, instanceConfig, startFakeDaemon } from './fake-peers.ts';

const ENTRY = path.join(import.meta.dirname, '../../../workers/jobs/main.ts');

/** Starts the real process as the daemon does, and resolves when it is ready. `detached` false: in the session of the test. */
export async function startProcess(t: Test, home: Home, { detached = true } = {}) {
  const child = fork(ENTRY, ['--home', home.root], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached });
  t.teardown(() => child.kill('SIGKILL'));
  const [message] = await once(child, 'message');
  t.same(message, { type: 'ready', ready: { socket: home.jobsSocket } });
  const client = connectJobs(home.jobsSocket);
  t.teardown(() => client.close());
  return { child, call: client.call };
}

/** A home, and a daemon with one instance, `survival`. */
export async function setup(t: Test): Promise<{ home: Home; daemon: FakeDaemon }> {
  const home = homeAt(temporaryFolder(t));
  return { home, daemon: await startFakeDaemon(t, home, [instanceConfig(home, 'survival')]) };
}

/** Kills the process, as a power cut would, and resolves when it is gone. */
export async function killProcess({ child }: Awaited<ReturnType<typeof startProcess>>): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
