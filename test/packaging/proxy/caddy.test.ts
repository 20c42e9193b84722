/**
 * The proxy behind Caddy, with the sites of docs/proxy.md, over https with certificates of Caddy's own authority: everybody's way in when the
 * proxy is hosted for friends.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import type { Backup } from '../../../shared/schema/backup.ts';
import { readEvents } from '../../support/http/event-reader.ts';
import { requestJson } from '../../support/http/request-json.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { requireProgram } from '../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';
import { startGamekeeper } from '../../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../../support/proxy/linked-daemon.ts';
import { oauthWorld } from '../../support/proxy/oauth-world.ts';
import { PANEL_DOMAIN, PanelVisitor, panelOrigin } from '../../support/proxy/panel-visitor.ts';

const DOCUMENT = path.join(import.meta.dirname, '../../../docs/proxy.md');
const BIG_FILE_BYTES = 64 * 1024 * 1024;

t.test('sign-in, link, console, events, panel and a big download go through Caddy', async (t) => {
  if (!requireProgram(t, 'caddy', 'caddy')) return;
  const [port, behind] = [await freePort(), await freePort()];
  await startCaddy(t, port, behind);
  const url = `https://localhost:${port}`;
  const world = await oauthWorld(t, {
    GAMEKEEPER_PROXY_URL: url,
    GAMEKEEPER_PROXY_PORT: String(behind),
    GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN,
  });
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const base = await linkToProxy(t, gamekeeper, world);
  await untilConnected(gamekeeper);
  const browser = await world.browser('anna');
  const tokens = await world.tokens(browser, [path.basename(base)]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const ask = <T>(method: string, route: string) => requestJson<T>(method, new URL(`${base}${route}`), { headers });

  const events = await readEvents(t, `${base}/events`, headers);
  t.equal((await ask('POST', '/instances/demo/start')).status, 200);
  await events.until('instance.phase', { instanceId: 'demo' });
  const console = new WebSocket(`${base.replace('http', 'ws')}/ws/instances/demo/console`, { headers });
  await shows(t, console, 'hello through Caddy');

  const panel = new PanelVisitor(panelOrigin(world, path.basename(base)));
  await panel.enter(browser);
  t.match((await panel.open('/ui/')).text, /<title>Gamekeeper/, 'the panel on a host of its own');
  await shows(t, panel.socket('/ws/instances/demo/console'), 'hello from the panel');

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

/** Says something in a console, and waits until the console shows it. */
async function shows(t: Test, console: WebSocket, text: string): Promise<void> {
  t.teardown(() => console.terminate());
  let shown = '';
  console.on('message', (data) => {
    shown += data;
  });
  await once(console, 'open');
  console.send(`say ${text}`);
  await until(`the console shows "${text}"`, () => shown.includes(text));
}

/** Runs Caddy with the documented sites, at addresses of this machine. Resolves when it listens, and everything trusts it. */
async function startCaddy(t: Test, port: number, behind: number): Promise<void> {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'Caddyfile');
  // Without a port 80 for redirects, and without a change of the certificates that this machine trusts.
  const options = '{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n}';
  writeFileSync(file, [options, ...documentedSites(port, behind)].join('\n'));
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
  const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  const certificate = await until('Caddy has an authority', () => wholeCertificate(authority), {
    describe: () => printed,
  });
  setDefaultCACertificates([...getCACertificates(), certificate]);
  process.env.NODE_EXTRA_CA_CERTS = authority;
  const answers = () =>
    fetch(`https://localhost:${port}`).then(
      ({ status }) => status === 502,
      () => false,
    );
  await until('Caddy listens', answers, { describe: () => printed });
}

/** Returns the certificate in a file, or `undefined` before Caddy has written all of it: Node accepts an empty one without an error. */
function wholeCertificate(file: string): string | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.endsWith('\n-----END CERTIFICATE-----\n') ? text : undefined;
}

/** The sites of the page, without what needs a public name. */
function documentedSites(port: number, behind: number): string[] {
  const page = readFileSync(DOCUMENT, 'utf8');
  return [
    { name: 'play.example.net', here: 'localhost' },
    { name: '*.panel.example.net', here: `*.${PANEL_DOMAIN}` },
  ].map(({ name, here }) => {
    const [, site] = page.replaceAll(/^ {3}/gm, '').split(`\`\`\`text\n${name} {`);
    if (site === undefined) throw new Error(`The page has no site ${name}.`);
    const body = site.slice(0, site.indexOf('\n}')).replace(/\ttls \{.*?\n\t\}\n/s, '');
    return `${here}:${port} {\n\tbind 127.0.0.1 ::1${body.replace('25590', String(behind))}\n}`;
  });
}
