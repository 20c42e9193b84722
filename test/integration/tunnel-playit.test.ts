/** A tunnel through playit.gg, with stand-ins for its API (test/support/stand-ins/playit-api.ts) and its agent (test/fixtures/playitd.js). */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { TunnelResponse } from '../../shared/schema/tunnel.ts';
import { freePort } from '../support/machine/free-port.ts';
import { tryToJoin } from '../support/machine/game-client.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { tunnelState } from '../support/processes/tunnel-state.ts';
import { AGENT_SECRET, startPlayitApi } from '../support/stand-ins/playit-api.ts';

const SETTINGS = { provider: 'playit', program: path.join(import.meta.dirname, '../fixtures/playitd.js') };

async function start(t: Test) {
  const playit = await startPlayitApi(t);
  const gamekeeper = await startGamekeeper(t, { env: { API_BASE: playit.url } });
  const { api } = gamekeeper;
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const set = (document: object) => api('PUT', '/instances/demo/tunnel/settings', document);
  return { playit, gamekeeper, set };
}

/** Resolves to the link that the owner has to open, once it is another one than `former`. */
async function claimUrl({ api }: Gamekeeper, former?: string): Promise<string> {
  let url: string | undefined;
  await until('there is a link to open', async () => {
    url = (await api<TunnelResponse>('GET', '/instances/demo/tunnel')).body.claimUrl;
    return url !== undefined && url !== former;
  });
  return url!;
}

t.test('the owner allows the server at playit.gg once, and friends join', async (t) => {
  const { playit, gamekeeper, set } = await start(t);
  const { api, home } = gamekeeper;
  t.match(await set(SETTINGS), { status: 200, body: { secret: undefined } });

  const expired = await claimUrl(gamekeeper);
  t.match(expired, /^https:\/\/playit\.gg\/claim\/[0-9a-f]{10}$/);
  playit.decide(expired, 'CodeExpired');
  const declined = await claimUrl(gamekeeper, expired);
  playit.decide(declined, 'UserRejected');
  t.equal((await tunnelState(gamekeeper, 'failed', /You declined/)).claimUrl, undefined);
  playit.decide(await claimUrl(gamekeeper, declined), 'UserAccepted');

  const up = await tunnelState(gamekeeper, 'up');
  t.equal(playit.tunnels.length, 1);
  t.match(up, { tunnelAddress: playit.tunnels[0]!.display_address, provider: 'playit', claimUrl: undefined });
  const publicPort = Number(up.tunnelAddress.split(':')[1]);
  t.match(await tryToJoin(publicPort, 'Anna'), /./, 'a player reaches the server');
  const secretFile = path.join(home, 'run/tunnels/demo/playit.toml');
  t.equal(statSync(secretFile).mode & 0o777, 0o600);
  t.notOk(
    processesOf(home).some(({ command }) => command.includes(AGENT_SECRET)),
    'not on a command line',
  );

  await until(
    'the key is stored, and not shown',
    async () => (await api<{ secret?: string }>('GET', '/instances/demo/tunnel/settings')).body.secret === '********',
  );
  await api('POST', '/instances/demo/restart');
  await gamekeeper.waitForStatus('demo', 'running');
  t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: up.tunnelAddress }, 'the same address after a restart');

  await api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  await until('the agent has ended', () => !processesOf(home).some(({ command }) => command.includes('playitd')));
  await until('its secret is removed', () => !existsSync(secretFile));
  await api('PATCH', '/instances/demo', { port: await freePort() });
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  t.match(await tunnelState(gamekeeper, 'up'), { tunnelAddress: up.tunnelAddress }, 'the tunnel follows the port');
  t.match(await tryToJoin(publicPort, 'Anna'), /./);
  t.equal(playit.tunnels.length, 1);
});

t.test('what playit.gg says is told in plain words', async (t) => {
  const { playit, gamekeeper, set } = await start(t);
  playit.refusal = 'RequiresVerifiedAccount';
  t.match(await set({ ...SETTINGS, secret: AGENT_SECRET }), { status: 200, body: { secret: '********' } });
  await tunnelState(gamekeeper, 'failed', /^Confirm the e-mail address/);
  playit.refusal = 'RegionNotSupported';
  await tunnelState(gamekeeper, 'failed', /does not create the tunnel: RegionNotSupported/);
  playit.isRevoked = true;
  await tunnelState(gamekeeper, 'failed', /does not accept the key|playitd ended/);
  t.match(await set({ provider: 'playit', program: '/bin/true', secret: '********' }), {
    status: 400,
    body: { detail: /secret/ },
  });
  t.match(await set({ ...SETTINGS, secret: '********' }), { status: 200, body: { secret: '********' } });
  t.match(await set({ ...SETTINGS, secret: 'not a key' }), { status: 400 });
});
