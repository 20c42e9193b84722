/** Player management from REST to the server's management protocol and its files. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test(
  'players are managed over the management protocol, and their lists are readable while the server is stopped',
  async (t) => {
    const gamekeeper = await startGamekeeper(t);
    const { api } = gamekeeper;
    const of = (where: string) => api<Record<string, unknown>[]>('GET', `/instances/demo/players${where}`);
    const act = (name: string, action: string, reason?: string) =>
      api('POST', `/instances/demo/players/${name}/${action}`, reason === undefined ? {} : { reason });
    await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
    const properties = { 'management-server-enabled': 'true', 'management-server-tls-enabled': 'false' };
    t.equal((await api('PUT', '/instances/demo/properties', { properties })).status, 200);
    t.match(await act('Anna', 'ban'), { status: 409, body: { code: 'invalid_state' } });
    t.same((await of('/bans')).body, []);
    await api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');

    for (const name of ['Anna', '*Ben'])
      await api('POST', '/instances/demo/commands', { command: `demo join ${name}` });
    await until('the protocol reports the players', async () => {
      const { body } = await of('');
      return body.length === 2 && body.every(({ uuid }) => typeof uuid === 'string');
    });
    t.match(await act('*Ben', 'kick', 'bye'), { status: 200, body: { success: true, message: 'Kicked *Ben: bye' } });
    t.match(await act('*Ben', 'kick'), { status: 404, body: { code: 'player_not_found' } });
    t.match(await act('Anna', 'ban', 'x-ray'), { status: 200, body: { message: 'Banned Anna: x-ray' } });
    t.match(await act('Anna', 'ban'), { status: 422, body: { code: 'command_rejected', detail: /already banned/ } });
    t.match(await act('Anna', 'op'), { status: 200 });
    t.match(await act('Anna', 'whitelist'), { status: 200 });
    t.same((await of('')).body, []);
    const lists = async () => {
      t.match(await of('/bans'), { status: 200, body: [{ name: 'Anna', reason: 'x-ray', createdAt: /Z$/ }] });
      t.match(await of('/operators'), { status: 200, body: [{ name: 'Anna', level: 4 }] });
      t.match(await of('/allowlist'), { status: 200, body: [{ name: 'Anna' }] });
    };
    await lists();
    await api('POST', '/instances/demo/stop');
    await gamekeeper.waitForStatus('demo', 'stopped');
    await lists();
    t.match(await act('Anna', 'unwhitelist'), { status: 409, body: { code: 'invalid_state' } });

    writeFileSync(path.join(gamekeeper.home, 'instances/demo/ops.json'), '[{"name":');
    t.match(await of('/operators'), { status: 409, body: { code: 'invalid_state', detail: /ops\.json/ } });
  },
);
