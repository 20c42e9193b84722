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

/** Starts HAProxy with our configuration until the end of the test. Resolves to its address, or to `undefined` if it is not installed. */
export async function startHaproxy(t: Test, replicas: readonly string[]): Promise<string | undefined> {
  if (!requireProgram(t, 'haproxy', 'haproxy')) return undefined;
  const port = await freePort();
  const servers = replicas.map((address, n) => `  server replica${n} ${new URL(address).host}\n`).join('');
  const config = readFileSync(CONFIG, 'utf8')
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/(?:^ {2}server .*\n?)+/gm, servers);
  const file = join(temporaryFolder(t), 'haproxy.cfg');
  writeFileSync(file, config);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
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
  const address = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${address}/livez`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until('HAProxy passes requests on', isUp, { describe: () => printed });
  return address;
}
