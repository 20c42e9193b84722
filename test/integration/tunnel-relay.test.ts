/** Players reach servers through the hosted proxy: a real proxy, a real Gamekeeper that is linked to it, and demo servers. */
import t from 'tap';
import type { TunnelResponse } from '../../shared/schema/tunnel.ts';
import { tryToJoin } from '../support/machine/game-client.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';
import { linkToProxy } from '../support/proxy/linked-daemon.ts';
import { SUFFIX, startPlayerProxy } from '../support/proxy/player-proxy.ts';

async function state(gamekeeper: Gamekeeper, id: string, wanted: string, error = /(?:)/): Promise<TunnelResponse> {
  let last: TunnelResponse | undefined;
  await until(
    `the tunnel of ${id} is ${wanted}`,
    async () => {
      last = (await gamekeeper.api<TunnelResponse>('GET', `/instances/${id}/tunnel`)).body;
      return last.state === wanted && error.test(last.error ?? '');
    },
    { describe: () => JSON.stringify(last), deadlineMs: 60_000 },
  );
  return last!;
}

const set = ({ api }: Gamekeeper, id: string, document: object) =>
  api('PUT', `/instances/${id}/tunnel/settings`, document);

t.test('two servers behind one port, told apart by the name that players type', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  const { world, players } = await startPlayerProxy(t);
  for (const [name, maxPlayers] of [
    ['Demo', 7],
    ['Other', 8],
  ] as const) {
    await api('POST', '/instances', { name, software: 'demo', maxPlayers });
    await api('POST', `/instances/${name.toLowerCase()}/start`);
    await gamekeeper.waitForStatus(name.toLowerCase(), 'running');
  }

  await api('POST', '/instances', { name: 'Sleepy', software: 'demo', maxPlayers: 9, sleepWhenEmptyMinutes: 1 });
  await set(gamekeeper, 'sleepy', { provider: 'relay', hostname: 'sleepy' });
  await api('POST', '/instances/sleepy/start');

  await set(gamekeeper, 'demo', { provider: 'relay', hostname: 'friends' });
  await state(gamekeeper, 'demo', 'failed', /not linked to a hosted proxy.*gamekeeper link/s);
  await linkToProxy(t, gamekeeper, world);
  const up = await state(gamekeeper, 'demo', 'up');
  t.match(up, { enabled: true, provider: 'relay', tunnelAddress: `friends.${SUFFIX}:${players}`, pingMs: Number });
  t.match(await tryToJoin(players, 'Anna', `friends.${SUFFIX}`), /./, 'a player reaches the server');

  t.match(await set(gamekeeper, 'other', { provider: 'relay', hostname: 'friends' }), {
    status: 422,
    body: { detail: /friends\.play\.localhost is taken/ },
  });
  t.match(await set(gamekeeper, 'other', { provider: 'relay', hostname: 'admin' }), {
    status: 400,
    body: { detail: /hostname.*reserved/ },
  });
  await set(gamekeeper, 'other', { provider: 'relay' });
  const { tunnelAddress } = await state(gamekeeper, 'other', 'up');
  t.match(tunnelAddress, /^other-[0-9a-f]{6}\.play\.localhost:\d+$/, 'a name of its own');

  await t.test('it goes on while daemon and gateway are away', async (t) => {
    await gamekeeper.endDaemon('SIGKILL');
    t.match(await tryToJoin(players, 'Anna', `friends.${SUFFIX}`), /./);
    await gamekeeper.startDaemon();
    await state(gamekeeper, 'demo', 'up');
  });

  await t.test('it is opened again after the proxy was killed', async (t) => {
    await world.proxy.end('SIGKILL');
    await state(gamekeeper, 'demo', 'failed');
    t.equal((await api<{ status: string }>('GET', '/instances/demo')).body.status, 'running');
    await world.proxy.start();
    t.match(await state(gamekeeper, 'demo', 'up'), { tunnelAddress: `friends.${SUFFIX}:${players}` });
  });

  await t.test('players see why a server cannot be reached', async (t) => {
    await api('POST', '/instances/demo/stop');
    await gamekeeper.waitForStatus('demo', 'stopped');
    t.match(await tryToJoin(players, 'Anna', `friends.${SUFFIX}`), /offline/);
    t.equal(await tryToJoin(players, 'Anna', `nobody.${SUFFIX}`), '', 'an unknown name is not answered');
    await until(
      'no tunnel process is left',
      () => processesOf(gamekeeper.home).filter(({ command }) => command.includes('workers/tunnel')).length === 2,
    );
  });

  await t.test('joining wakes a sleeping server', async (t) => {
    const phase = async () => (await api<{ phase: string }>('GET', '/instances/sleepy')).body.phase;
    await until('it sleeps', async () => (await phase()) === 'sleeping', { deadlineMs: 150_000, describe: phase });
    t.match(await state(gamekeeper, 'sleepy', 'up'), { tunnelAddress: `sleepy.${SUFFIX}:${players}` });
    // Its port opens a moment later.
    const join = () => tryToJoin(players, 'Anna', `sleepy.${SUFFIX}`);
    await until('a player wakes it', async () => /is starting/.test(await join()), { describe: join });
    await gamekeeper.waitForStatus('sleepy', 'running');
    await state(gamekeeper, 'sleepy', 'up');
  });

  await t.test('a server that is deleted gives up its address', async (t) => {
    await api('POST', '/instances/other/stop');
    await gamekeeper.waitForStatus('other', 'stopped');
    const list = async () => (await world.proxy.command(['tunnel', 'list'])).stdout;
    const { stdout: json } = await world.proxy.command(['tunnel', 'list', '--json']);
    t.match(JSON.parse(json), [{ account: 'anna' }, { account: 'anna' }, { account: 'anna' }]);
    t.match(await list(), /other-[0-9a-f]{6}\.play\.localhost +java +anna +Attic: other/);
    await api('DELETE', '/instances/other');
    await until('it is gone', async () => !(await list()).includes('Attic: other'), { describe: list });
    t.match(await world.proxy.command(['tunnel', 'suspend', `sleepy.${SUFFIX}`]), { code: 0 });
    t.match(await state(gamekeeper, 'sleepy', 'failed', /suspended/), { enabled: false });
    t.match(await world.proxy.command(['tunnel', 'resume', `sleepy.${SUFFIX}`]), { code: 0 });
    t.match(await world.proxy.command(['tunnel', 'suspend', `nobody.${SUFFIX}`]), { code: 1, stderr: /No server/ });
    await state(gamekeeper, 'sleepy', 'up');
  });
});
