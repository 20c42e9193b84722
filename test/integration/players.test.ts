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
      actWith(name, action, reason === undefined ? {} : { reason });
    const actWith = (name: string, action: string, body: object) =>
      api('POST', `/instances/demo/players/${name}/${action}`, body);
    await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
    const properties = { 'management-server-enabled': 'true', 'management-server-tls-enabled': 'false' };
    t.equal((await api('PUT', '/instances/demo/properties', { properties })).status, 200);
    t.match(await act('Anna', 'ban'), { status: 404, body: { code: 'player_not_found', resolution: /join once/ } });
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
    t.match(await actWith('Carl', 'op', { durationSeconds: 60 }), { status: 400 });
    t.match(await actWith('*Ben', 'ban', { level: 2 }), { status: 400 });
    t.match(await actWith('*Ben', 'op', { level: 2 }), { status: 200 });
    t.match((await of('/operators')).body[1], { name: '*Ben', level: 2 });
    t.match(await act('*Ben', 'deop'), { status: 200 });
    t.match(await actWith('*Ben', 'ban', { durationSeconds: 3_600 }), { status: 200 });
    const end = Date.parse(String((await of('/bans')).body[1]?.expiresAt));
    t.ok(Math.abs(end - Date.now() - 3_600_000) < 60_000, 'the server knows the end');
    t.match(await act('*Ben', 'pardon'), { status: 200 });
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
    // The demo's players are no accounts.
    const offline = { properties: { 'online-mode': 'false' } };
    t.equal((await api('PUT', '/instances/demo/properties', offline)).status, 200);
    t.match(await act('Anna', 'kick'), { status: 409, body: { code: 'invalid_state' } });
    t.match(await act('Anna', 'unwhitelist'), { status: 200, body: { message: 'Removed Anna from the whitelist' } });
    t.same((await of('/allowlist')).body, []);
    t.match(await act('Anna', 'whitelist'), { status: 200, body: { message: 'Added Anna to the whitelist' } });

    writeFileSync(path.join(gamekeeper.home, 'instances/demo/ops.json'), '[{"name":');
    t.match(await of('/operators'), { status: 409, body: { code: 'invalid_state', detail: /ops\.json/ } });
  },
);
