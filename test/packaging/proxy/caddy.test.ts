/** The proxy behind Caddy, with the Caddyfile of docs/proxy.md: everybody's way in when the proxy is hosted for friends. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import type { Backup } from '../../../shared/schema/backup.ts';
import { requestJson } from '../../support/http/request-json.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { requireProgram } from '../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { startGamekeeper } from '../../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../../support/proxy/oauth-world.ts';

const DOCUMENT = path.join(import.meta.dirname, '../../../docs/proxy.md');
const BIG_FILE_BYTES = 64 * 1024 * 1024;

t.setTimeout(180_000);

t.test('sign-in, link, console and a big download go through Caddy', async (t) => {
  if (!requireProgram(t, 'caddy', 'caddy')) return;
  const [port, behind] = [await freePort(), await freePort()];
  await startCaddy(t, port, behind);
  const url = `http://localhost:${port}`;
  const world = await oauthWorld(t, { GAMEKEEPER_PROXY_URL: url, GAMEKEEPER_PROXY_PORT: String(behind) });
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const base = await linkToProxy(t, gamekeeper, world);
  await untilConnected(gamekeeper);
  const browser = await world.browser('anna');
  const tokens = await world.tokens(browser, [path.basename(base)]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const ask = <T>(method: string, route: string) => requestJson<T>(method, new URL(`${base}${route}`), { headers });

  t.equal((await ask('POST', '/instances/demo/start')).status, 200);
  const console = new WebSocket(`${base.replace('http', 'ws')}/ws/instances/demo/console`, { headers });
  t.teardown(() => console.terminate());
  let shown = '';
  console.on('message', (data) => {
    shown += data;
  });
  await once(console, 'open');
  console.send('say hello through Caddy');
  await until('the console shows it', () => shown.includes('hello through Caddy'));

  // Random, so that it does not compress.
  writeFileSync(path.join(gamekeeper.home, 'instances/demo/big.bin'), randomBytes(BIG_FILE_BYTES));
  const { backupId, sha256, sizeBytes } = (await ask<Backup>('POST', '/instances/demo/backup')).body;
  const download = await fetch(`${base}/instances/demo/backups/${backupId}/archive`, { headers });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of download.body ?? []) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  t.ok(bytes > BIG_FILE_BYTES);
  t.equal(bytes, sizeBytes);
  t.equal(hash.digest('hex'), sha256);
});

/** Runs Caddy with the documented configuration, at an address of this machine. Resolves when it listens. */
async function startCaddy(t: Test, port: number, behind: number): Promise<void> {
  const [, documented = ''] =
    /```text\n(play\.example\.net \{.*?\n\})\n```/s.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  t.match(documented, 'reverse_proxy 127.0.0.1:25590');
  const site = documented
    .replace('play.example.net {', `http://localhost:${port} {\n\tbind 127.0.0.1 ::1`)
    .replace('25590', String(behind));
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n}\n${site}\n`);
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env });
  t.teardown(async () => {
    caddy.kill('SIGTERM');
    if (caddy.exitCode === null) await once(caddy, 'exit');
  });
  let printed = '';
  for (const stream of [caddy.stdout, caddy.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const answers = () =>
    fetch(`http://localhost:${port}`).then(
      ({ status }) => status === 502,
      () => false,
    );
  await until('Caddy listens', answers, { describe: () => printed });
}
