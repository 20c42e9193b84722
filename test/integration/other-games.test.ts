/** Real servers of games that are not Minecraft, from Debian's packages, each created with a name and a kind alone. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Instance } from '../../shared/schema/instance.ts';
import { joinFreeciv } from '../support/games/join-freeciv.ts';
import { allowSlowClients, joinOpenTtd } from '../support/games/open-ttd.ts';
import { areInstalled, createAll, GAME_NAMES, GAMES, type Game, OTHER_USER } from '../support/games/real-games.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

t.test('five real games run, count their players, save and are stopped', async (t) => {
  if (!areInstalled(t)) return;
  const gamekeeper = await startGamekeeper(t);
  const { api, waitForStatus, home } = gamekeeper;
  const instances = await createAll(gamekeeper);
  const each = <Result>(task: (id: Game) => Promise<Result>) => Promise.all(GAME_NAMES.map(task));
  const inFolder = (id: Game, file: string) => join(home, 'instances', id, file);
  const output = async (id: Game) =>
    (await api<{ lines: string[] }>('GET', `/instances/${id}/logs?lines=500`)).body.lines.join('\n');
  const players = async (id: Game) => (await api<Instance>('GET', `/instances/${id}`)).body.playersOnline;

  allowSlowClients(inFolder('openttd', '.'));
  await each((id) => api('POST', `/instances/${id}/start`));
  await each((id) => waitForStatus(id, 'running'));
  for (const id of GAME_NAMES) {
    const { world } = GAMES[id];
    if (world) await until(`${id} has its data in its folder`, () => existsSync(inFolder(id, world)));
  }
  t.notOk(existsSync(inFolder('luanti', '.minetest/worlds')), 'no world elsewhere');

  await t.test('each is asked or watched for its players', async (t) => {
    for (const id of GAME_NAMES) t.equal(await until(`${id} counts`, async () => players(id)), 0, id);
    t.match((await api('GET', '/instances/openarena')).body, { maxPlayers: 12 });
    const client = await joinFreeciv(instances.freeciv.port, 'Anna');
    await until('Anna plays Freeciv', async () => (await players('freeciv')) === 1);
    t.match((await api('GET', '/instances/freeciv/players')).body, [{ name: 'Anna' }]);
    client.destroy();
    await until('Anna has left Freeciv', async () => (await players('freeciv')) === 0);
    await joinOpenTtd(t, instances.openttd.port);
    await until('somebody plays OpenTTD', async () => (await players('openttd')) === 1);
    t.match((await api('GET', '/instances/openttd/players')).body, [{ name: 'Anna Maria' }]);
  });

  await t.test('commands have answers, without secrets', async (t) => {
    const answerTo = async (id: Game, command: string) =>
      (await api<{ output: string }>('POST', `/instances/${id}/commands`, { command })).body.output;
    t.match(await answerTo('openarena', 'status'), /map: oa_dm1/);
    t.match(await answerTo('freeciv', 'list'), /List of players/);
    t.match(await answerTo('teeworlds', 'sv_max_clients'), /Value: 8/, 'over its external console');
    t.match(await api('POST', '/instances/luanti/commands', { command: 'status' }), {
      status: 400,
      body: { detail: /takes no commands/ },
    });
    await answerTo('openttd', 'rcon_pw ottd-secret');
    t.match(await answerTo('openttd', 'rcon_pw'), /Current value for/);
    await answerTo('openarena', 'set rconPassword arena-secret');
    t.match(await answerTo('openarena', 'rconPassword'), /rconPassword/i);
    t.notMatch(await output('openttd'), /is 'ottd-secret'/);
    t.notMatch(await output('openarena'), /is:"arena-secret/);
    const [, secret = ''] =
      /ec_password (\S+)/.exec(readFileSync(inFolder('teeworlds', 'teeworlds.cfg'), 'utf8')) ?? [];
    t.ok(secret.length > 20);
    t.notMatch(await answerTo('teeworlds', 'sv_rcon_password'), secret);
  });

  await t.test('a backup of each has its world', async (t) => {
    for (const id of GAME_NAMES) {
      const { code, stdout, stderr } = await gamekeeper.cli('backup', id);
      t.equal(code, 0, `${id}: ${stdout}${stderr}`);
    }
    t.match(await output('openttd'), /Map successfully saved/);
    t.match(await output('freeciv'), /Game saved as/);
  });

  await t.test('a port that another game has is refused by name', async (t) => {
    await api('POST', '/instances', { name: 'Second', software: 'openarena', port: instances.openarena.port });
    const refused = await api<{ detail: string }>('POST', '/instances/second/start');
    t.equal(refused.status, 409);
    t.match(refused.body.detail, /port \d+ is in use by the instance "openarena"/);
  });

  await t.test('a killed game is restarted, and the reason is the signal', async (t) => {
    const server = processesOf(home).find(({ command }) => command.includes('teeworlds-server'));
    process.kill(server!.pid, 'SIGKILL');
    const crashed = await until('the crash is known', async () => {
      const { crash } = (await api<Instance>('GET', '/instances/teeworlds')).body;
      return crash;
    });
    t.match(crashed, { signal: 'SIGKILL' });
    await waitForStatus('teeworlds', 'running');
  });

  await each((id) => api('POST', `/instances/${id}/stop`));
  await each((id) => waitForStatus(id, 'stopped'));
  for (const id of GAME_NAMES) t.notMatch(await output(id), /SIGKILL follows|sending SIGKILL/, `${id} stops by itself`);
  t.ok(existsSync(inFolder('openttd', 'save/autosave/exit.sav')));
  t.same(readdirSync(inFolder('freeciv', 'saves')), ['latest.sav.xz']);
  t.match(readFileSync(inFolder('luanti', 'minetest.conf'), 'utf8'), 'max_users = 15');
  for (const id of GAME_NAMES) {
    const { world } = GAMES[id];
    if (world) t.equal(statSync(inFolder(id, world)).uid, statSync(inFolder(id, '.')).uid, `${id} owns its data`);
  }
  for (const id of OTHER_USER) t.not(statSync(inFolder(id, '.')).uid, 0, `${id} runs as another user`);
});
