/** What `doctor` reports about the tunnel of each provider. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { readStoredData } from '../../../../daemon/cli/doctor/stored-data.ts';
import { checkTunnelServers, checkTunnels } from '../../../../daemon/cli/doctor/tunnels.ts';
import { prepareHome } from '../../../../daemon/home/home-directories.ts';
import { openStore } from '../../../../daemon/store/store.ts';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import type { TunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

const PROGRAM = process.execPath;

/** A data directory with a server for each tunnel, which has its name. */
async function homeWith(t: Test, tunnels: Record<string, TunnelSettings>): Promise<Home> {
  const home = homeAt(path.join(temporaryFolder(t), 'home'));
  await prepareHome(home);
  const store = openStore(home.database);
  for (const [id, tunnel] of Object.entries(tunnels))
    store.instances.save(instanceConfig({ id, name: id, port: await freePort(), tunnel }));
  store[Symbol.dispose]();
  return home;
}

interface LookOptions {
  env?: NodeJS.ProcessEnv;
  online?: boolean;
}

/** Returns what is said about each server, by its name. */
async function look(home: Home, { env = {}, online = false }: LookOptions = {}) {
  const subject = {
    home,
    exists: true,
    settings: undefined,
    stored: readStoredData(home.database),
    daemon: undefined,
    env,
    now: Date.now(),
  };
  const findings = [...(await checkTunnels(subject)), ...(online ? await checkTunnelServers(subject) : [])];
  return (id: string) => findings.filter(({ says }) => says.startsWith(id));
}

/** Resolves to the port of a server that takes connections. */
async function listening(t: Test): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

t.test('static: an address that friends cannot reach', async (t) => {
  const of = await look(
    await homeWith(t, {
      named: { provider: 'static', address: 'play.example.net', mapping: 'none' },
      forwarded: { provider: 'static', mapping: 'auto' },
      private: { provider: 'static', address: '192.168.1.7', mapping: 'none' },
    }),
  );
  t.match(of('named'), [{ result: 'ok', says: /play\.example\.net/ }]);
  t.match(of('forwarded'), [{ result: 'ok', says: /router/ }]);
  t.match(of('private'), [{ result: 'warning', says: /your own network/, fix: /tunnel private set static/ }]);
});

t.test('ssh: a way to sign in, and the machine', async (t) => {
  const port = await listening(t);
  const ssh = { provider: 'ssh', host: '127.0.0.1', port, username: 'anna', bindAddress: '', remotePort: 0 } as const;
  const home = await homeWith(t, {
    agent: ssh,
    password: { ...ssh, password: 'a secret of anna' },
    away: { ...ssh, port: await freePort(), privateKey: 'another secret' },
  });
  const of = await look(home);
  t.match(of('agent'), [{ result: 'warning', says: /SSH agent/, fix: /--key/ }]);
  t.match(of('password'), [{ result: 'ok' }]);
  t.notMatch(JSON.stringify(['password', 'away'].map(of)), 'secret');
  const online = await look(home, { online: true, env: { SSH_AUTH_SOCK: '/run/agent' } });
  t.match(online('agent'), [{ result: 'ok' }, { result: 'ok', says: /answers/ }]);
  t.match(online('away'), [{ result: 'ok' }, { result: 'problem', says: /ECONNREFUSED/, fix: /firewall/ }]);
});

t.test('frp: its program, and the machine', async (t) => {
  const frp = { provider: 'frp', serverAddr: '127.0.0.1', serverPort: await freePort(), remotePort: 0 } as const;
  const home = await homeWith(t, {
    absent: { ...frp, program: '/nowhere/frpc' },
    unset: frp,
    present: { ...frp, program: PROGRAM, serverPort: await listening(t) },
  });
  const of = await look(home, { online: true, env: { PATH: '/nowhere' } });
  t.match(of('absent'), [{ result: 'problem', says: /\/nowhere\/frpc cannot be run/ }, { says: /ECONNREFUSED/ }]);
  t.match(of('unset'), [{ result: 'problem', says: /not on the PATH/, fix: /--program/ }, { result: 'problem' }]);
  t.match(of('present'), [
    { result: 'ok', says: PROGRAM },
    { result: 'ok', says: /answers/ },
  ]);
});

t.test('playit: its program, and the claim', async (t) => {
  const of = await look(
    await homeWith(t, {
      absent: { provider: 'playit', secret: 'a secret of playit' },
      unclaimed: { provider: 'playit', program: PROGRAM },
      claimed: { provider: 'playit', program: PROGRAM, secret: 'a secret of playit' },
    }),
    { env: { PATH: '/nowhere' } },
  );
  t.match(of('absent'), [{ result: 'problem', says: /needs playitd/ }]);
  t.match(of('unclaimed'), [{ result: 'ok' }, { result: 'warning', says: /allow it at playit\.gg/ }]);
  t.match(of('claimed'), [{ result: 'ok' }]);
  t.equal(of('claimed').length, 1);
  t.notMatch(JSON.stringify(of('claimed')), 'a secret of playit');
});

t.test('relay: the proxy', async (t) => {
  const home = await homeWith(t, { relayed: { provider: 'relay', proxyProtocol: false } });
  const unlinked = await look(home, { online: true });
  t.match(unlinked('relayed'), [{ result: 'problem', says: /not linked/, fix: /gamekeeper link/ }]);
  const issuer = `http://127.0.0.1:${await listening(t)}`;
  const store = openStore(home.database);
  store.pairing.set({
    issuer,
    jwksUri: `${issuer}/oauth/jwks`,
    audience: 'urn:uuid:1',
    name: 'Home PC',
    ceiling: ['servers:read'],
    pairedAt: new Date().toISOString(),
  });
  store[Symbol.dispose]();
  const linked = await look(home, { online: true });
  t.match(linked('relayed'), [
    { result: 'ok', says: issuer },
    { result: 'ok', says: /answers/ },
  ]);
});
