import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Test } from 'tap';
import { pathOf } from '../machine/system-packages.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';

/** How long a client may take for each step, in game ticks of 30 ms: 16 minutes, the maximum. */
const PATIENCE_TICKS = 32_000;
const LIMITS = ['max_init_time', 'max_join_time', 'max_download_time', 'max_password_time', 'max_lag_time'];

/** Clients that are started, one after the other, until one connects. About every seventh does not. */
const CLIENTS = 6;
/** For the connection itself, once the address is resolved; usually some milliseconds. */
const CONNECT_MS = 10_000;

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
  for (let attempt = 0; attempt < CLIENTS; attempt++) if (await connects(startClient(t, port))) return;
  throw new Error(`None of ${CLIENTS} clients of OpenTTD has connected.`);
}

function startClient(t: Test, port: number): ChildProcessByStdio<null, null, Readable> {
  const HOME = temporaryFolder(t);
  const config = join(HOME, 'openttd.cfg');
  writeFileSync(config, '[network]\nclient_name = Anna Maria\n');
  const quiet = ['-v', 'null:ticks=1000000000', '-s', 'null', '-m', 'null', '-d', 'net=6'];
  const client = spawn(pathOf('openttd')!, ['-n', `127.0.0.1:${port}`, ...quiet, '-c', config], {
    env: { ...process.env, HOME, XDG_DATA_HOME: HOME, XDG_CONFIG_HOME: HOME },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => client.kill('SIGKILL'));
  return client;
}

/**
 * Resolves to whether a client connects; kills it otherwise. OpenTTD 13.0 sometimes waits forever for the address that it has resolved
 * already: its resolver can finish before the thread that started it expects that (TCPConnecter::CheckActivity).
 */
async function connects(client: ChildProcessByStdio<null, null, Readable>): Promise<boolean> {
  let log = '';
  client.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const describe = () => log;
  await until('OpenTTD has resolved the address', () => log.includes(' resolved in:'), { describe });
  const connected = () => log.includes('Connected to ');
  if (await until('OpenTTD connects', connected, { deadlineMs: CONNECT_MS }).catch(() => false)) return true;
  client.kill('SIGKILL');
  return false;
}
