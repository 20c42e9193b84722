/**
 * packaging/proxy/compose.yaml as podman-compose reads it, and what it describes: HAProxy with packaging/proxy/haproxy.cfg in front of two
 * proxies with PostgreSQL. No image is downloaded: the programs are those of this machine, with the settings of the containers.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import t, { type Test } from 'tap';
import { selfSigned } from '../../support/http/self-signed.ts';
import { echoDaemon } from '../../support/link/echo-daemon.ts';
import { readCompose } from '../../support/machine/compose.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { requireProgram } from '../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { startConfiguredHaproxy } from '../../support/proxy/haproxy.ts';
import { oauthWorld } from '../../support/proxy/oauth-world.ts';
import { PANEL_DOMAIN, PanelVisitor, panelOrigin } from '../../support/proxy/panel-visitor.ts';
import { startPostgres } from '../../support/proxy/postgres.ts';
import { startProxy } from '../../support/proxy/proxy-process.ts';

const FILE = path.join(import.meta.dirname, '../../../packaging/proxy/compose.yaml');
const DOCUMENT = path.join(import.meta.dirname, '../../../docs/proxy/compose.md');
const PEER_PORT = 25_591;
/** So many that they do not all meet their links by chance. */
const DAEMONS = 6;

const folder = filesOf(t);
const containers = await readCompose(t, FILE, { GAMEKEEPER_PROXY_FILES: folder });
if (containers) {
  t.test('only HAProxy can be reached, and only proxies reach the database', async (t) => {
    t.same([...containers.keys()].sort(), ['database', 'haproxy', 'one', 'two']);
    for (const [service, { ports }] of containers) t.same(ports, service === 'haproxy' ? ['443:8443'] : [], service);
    const inside = [...containers].filter(([, { networks }]) => networks.some((name) => name.endsWith('_inside')));
    t.same(inside.map(([service]) => service).sort(), ['database', 'one', 'two']);
  });

  t.test('everything but PostgreSQL runs without privileges, and no secret is in the environment', async (t) => {
    for (const service of ['haproxy', 'one', 'two']) {
      const { options } = containers.get(service) ?? { options: [] as string[] };
      for (const option of ['--read-only', 'ALL', 'no-new-privileges']) t.ok(options.includes(option), service);
    }
    for (const [service, { env }] of containers)
      for (const [name, value] of Object.entries(env))
        if (/PASSWORD|SECRET|DATABASE_URL/.test(name)) t.match(value, /^\/run\/secrets\//, `${service}: ${name}`);
  });

  t.test('everything that it needs is made as the page says', async (t) => {
    const page = readFileSync(DOCUMENT, 'utf8');
    for (const { mounts, envFiles } of containers.values())
      for (const own of [...mounts, ...envFiles].filter((mount) => mount.startsWith(folder)))
        t.match(page, path.relative(folder, own.split(':')[0] ?? ''));
  });

  t.test('people, computers and panels get through', async (t) => {
    if (!requireProgram(t, 'haproxy', 'haproxy')) return;
    const postgres = await startPostgres(t);
    if (!postgres) return;
    const port = await freePort();
    const url = `https://localhost:${port}`;
    writeFileSync(path.join(folder, 'database-url'), await postgres.database());
    writeFileSync(path.join(folder, 'proxy-secret'), randomBytes(32).toString('base64'));
    const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
    const addresses: Record<string, string> = { one: `${network}.1`, two: `${network}.2` };
    /** The settings of a container, on this machine: names are addresses. */
    const settingsOf = (service: string) =>
      Object.fromEntries(
        Object.entries(containers.get(service)?.env ?? {}).map(([name, value]) => [
          name,
          value
            .replace(/^0\.0\.0\.0$/, addresses[service] ?? '')
            .replace(/\b(one|two)\b(?=:)/, (name) => addresses[name] ?? '')
            .replace(/^:8443$/, `127.0.0.1:${port}`)
            .replace(/^\/run\/secrets|^\/etc\/haproxy/, folder),
        ]),
      );
    await startConfiguredHaproxy(t, url, settingsOf('haproxy'));
    const common = { GAMEKEEPER_PROXY_URL: url, GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN };
    const environmentOf = (service: string) => ({
      ...common,
      ...settingsOf(service),
      GAMEKEEPER_PROXY_HOST: addresses[service] ?? '',
      GAMEKEEPER_PROXY_PORT: '25590',
    });
    const two = await startProxy(t, environmentOf('two'));
    const world = await oauthWorld(t, environmentOf('one'));
    const browser = await world.browser('anna');
    const daemons = [];
    for (let n = 0; n < DAEMONS; n++) {
      const daemon = await world.link('anna', 'attic');
      const { daemonId } = daemon;
      daemons.push({ ...daemon, echo: echoDaemon(t, { address: url, daemonId, token: () => daemon.token() }) });
    }
    for (const { echo } of daemons) await echo.connected();
    const ask = async (daemonId: string, address = url) => {
      const { access_token: token } = await world.tokens(browser, [daemonId]);
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${address}/d/${daemonId}/health`, { headers })).text();
    };

    for (const { daemonId } of daemons) {
      t.equal(await ask(daemonId), daemonId);
      const visitor = new PanelVisitor(panelOrigin(world, daemonId));
      const { headers } = await visitor.enter(browser);
      t.equal((await visitor.open(headers.location ?? '/')).text, daemonId, 'the panel on its own host');
    }
    t.equal(peerConnections(network), 0, 'each request came to the replica that has the link');
    for (const { daemonId } of daemons)
      for (const address of Object.values(addresses)) t.equal(await ask(daemonId, `http://${address}:25590`), daemonId);
    t.ok(peerConnections(network) > 0, 'replicas reach each other at the address in the file');

    t.equal(await two.end('SIGTERM'), 0, 'its computers have moved');
    for (const { daemonId } of daemons) t.equal(await ask(daemonId), daemonId);
  });
}

/** Writes the files that the containers get, and lets this process trust their certificate. Returns the folder. */
function filesOf(t: Test): string {
  const folder = temporaryFolder(t);
  const { cert, key } = selfSigned([`*.${PANEL_DOMAIN}`]);
  mkdirSync(path.join(folder, 'certificates'));
  writeFileSync(path.join(folder, 'certificates/play.pem'), `${cert}${key}`);
  for (const name of ['settings.env', 'database-password', 'database-url', 'proxy-secret'])
    writeFileSync(path.join(folder, name), '');
  setDefaultCACertificates([...getCACertificates(), cert]);
  return folder;
}

/** Returns how many connections there are between replicas. */
function peerConnections(network: string): number {
  const [a = 0, b = 0, c = 0] = network.split('.').map(Number);
  const subnet = Buffer.from([c, b, a]).toString('hex').toUpperCase();
  const port = PEER_PORT.toString(16).toUpperCase();
  // Addresses are in the byte order of the machine; 01 is an established connection (proc(5)).
  const established = new RegExp(`^ *\\d+: \\w+:\\w+ \\w\\w${subnet}:${port} 01 `, 'gm');
  return readFileSync('/proc/net/tcp', 'utf8').match(established)?.length ?? 0;
}
