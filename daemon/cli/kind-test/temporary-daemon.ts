import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Home, homeAt } from '../../../shared/node/files/home.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { DAEMON_PROGRAM } from '../api/daemon-program.ts';
import { endDaemon } from '../api/end-daemon.ts';
import { Failure } from '../api/failure.ts';
import { untilReady } from '../api/until-ready.ts';

/** Listens on this machine only, on ports that the system chooses. */
const ENVIRONMENT = { GAMEKEEPER_HOST: '127.0.0.1', GAMEKEEPER_PORT: '0', GAMEKEEPER_REMOTE_PORT: '0' };

/**
 * Runs a Gamekeeper of its own in a temporary data directory while `use` runs. `prepare` fills the directory first. Ends the Gamekeeper with its
 * servers and removes the directory in any case.
 */
export async function withTemporaryDaemon<T>(
  prepare: (home: Home) => Promise<void>,
  use: (home: Home) => Promise<T>,
): Promise<T> {
  // Short: the path of a socket may have only 103 bytes.
  const home = homeAt(await mkdtemp(path.join(tmpdir(), 'gk-')));
  try {
    await prepare(home);
    await startDaemon(home);
    try {
      return await use(home);
    } finally {
      await withDaemon(home, (daemon) => endDaemon(daemon, { withServers: true, note: () => undefined }));
    }
  } finally {
    await rm(home.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function startDaemon(home: Home): Promise<void> {
  // In a group of its own: Ctrl-C ends the test, which then ends the daemon.
  const child = spawn(process.execPath, [DAEMON_PROGRAM, '--home', home.root], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, ...ENVIRONMENT },
  });
  let said = '';
  let hasFailed = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for (const event of ['error', 'exit'])
    child.on(event, () => {
      hasFailed = true;
    });
  try {
    await untilReady(home, () => hasFailed);
  } catch (cause) {
    child.kill();
    throw new Failure(`A Gamekeeper for the test could not be started: ${(cause as Error).message} ${said}`.trim(), {
      cause,
    });
  }
  child.stderr.destroy();
  child.unref();
}
