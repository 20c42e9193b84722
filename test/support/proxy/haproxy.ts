import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';
import { requireProgram } from '../machine/system-packages.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import { until } from '../machine/until.ts';

const CONFIG = join(import.meta.dirname, '../../../packaging/proxy/haproxy.cfg');

/**
 * Starts HAProxy with our configuration, but without TLS, until the end of the test. Resolves to its address, or to `undefined` if it is not
 * installed. `players`: a section for players.
 */
export async function startHaproxy(
  t: Test,
  replicas: readonly string[],
  { players = '' } = {},
): Promise<string | undefined> {
  if (!requireProgram(t, 'haproxy', 'haproxy')) return undefined;
  const port = await freePort();
  const file = join(temporaryFolder(t), 'haproxy.cfg');
  const config = readFileSync(CONFIG, 'utf8').replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`);
  writeFileSync(file, `${config}\n${players}`);
  const [PROXY_ONE = '', PROXY_TWO = ''] = replicas.map((address) => new URL(address).host);
  const address = `http://127.0.0.1:${port}`;
  await run(t, { file, env: { PROXY_ONE, PROXY_TWO }, isUp: ({ status }) => status === 200, address });
  return address;
}

/** Starts HAProxy with exactly our configuration, and the variables that it reads, until the end of the test. Resolves when it listens at `address`. */
export async function startConfiguredHaproxy(t: Test, address: string, env: Record<string, string>): Promise<void> {
  await run(t, { file: CONFIG, env, isUp: () => true, address });
}

interface RunOptions {
  file: string;
  env: Record<string, string>;
  address: string;
  isUp: (response: Response) => boolean;
}

async function run(t: Test, { file, env, address, isUp }: RunOptions): Promise<void> {
  const child = spawn('haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  t.teardown(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const passesOn = () => fetch(`${address}/livez`).then(isUp, () => false);
  await until('HAProxy passes requests on', passesOn, { describe: () => printed });
}
