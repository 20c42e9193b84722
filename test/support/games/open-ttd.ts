import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { pathOf } from '../machine/system-packages.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

/** How long a client may take for each step, in game ticks of 30 ms: 16 minutes, the maximum. */
const PATIENCE_TICKS = 32_000;
const LIMITS = ['max_init_time', 'max_join_time', 'max_download_time', 'max_password_time', 'max_lag_time'];

/**
 * Makes a server, which has not started yet, wait for slow clients. By default it drops those that need more than 100 ticks for a step of
 * joining, and a loaded machine takes longer.
 */
export function allowSlowClients(directory: string): void {
  const limits = LIMITS.map((name) => `${name} = ${PATIENCE_TICKS}\n`);
  writeFileSync(join(directory, 'openttd.cfg'), `[network]\n${limits.join('')}`);
}

/** Joins a server with the game itself, without a screen, until the end of the test. */
export async function joinOpenTtd(t: Test, port: number): Promise<void> {
  const HOME = temporaryFolder(t);
  const config = join(HOME, 'openttd.cfg');
  writeFileSync(config, '[network]\nclient_name = Anna Maria\n');
  const quiet = ['-v', 'null:ticks=1000000000', '-s', 'null', '-m', 'null'];
  const client = spawn(pathOf('openttd')!, ['-n', `127.0.0.1:${port}`, ...quiet, '-c', config], {
    env: { ...process.env, HOME, XDG_DATA_HOME: HOME, XDG_CONFIG_HOME: HOME },
    stdio: 'ignore',
  });
  t.teardown(() => client.kill('SIGKILL'));
}
