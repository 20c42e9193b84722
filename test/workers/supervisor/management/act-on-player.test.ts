import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { PLAYER_ACTIONS, type PlayerAction } from '../../../../shared/domain/players/player-action.ts';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { actOverManagement, type Management } from '../../../../workers/supervisor/management/act-on-player.ts';
import { ManagementError } from '../../../../workers/supervisor/management/management-error.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { type RunningSupervisor, runSupervisor } from '../../../support/processes/running-supervisor.ts';
import {
  killSupervisor,
  killTerminal,
  spawnSupervisor,
  startGame,
} from '../../../support/processes/spawned-supervisor.ts';

const ANNA = { id: '8667ba71-b85a-4004-af54-457a9734eed7', name: 'Anna' };

/** Returns a server with these answers, and the changes that it was asked for. */
function server(answers: Record<string, unknown>) {
  const sent: [string, unknown][] = [];
  const management: Management = {
    async call(method, params) {
      const answer = answers[method];
      if (params.length > 0) sent.push([method, params]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const act = (action: PlayerAction, reason = '') => actOverManagement(management, { action, name: 'anna', reason });
  return { act, management, sent };
}

t.test("each action is one call for one player, and returns the text of vanilla's command", async (t) => {
  const cases: [PlayerAction, string, string, object, string][] = [
    ['kick', 'bye', 'players/kick', { player: { name: 'anna' }, message: { literal: 'bye' } }, 'Kicked Anna: bye'],
    ['kick', '', 'players/kick', { player: { name: 'anna' } }, 'Kicked Anna'],
    ['ban', 'bye', 'bans/add', { player: { name: 'anna' }, reason: 'bye' }, 'Banned Anna: bye'],
    ['op', 'no reason here', 'operators/add', { player: { name: 'anna' } }, 'Made Anna a server operator'],
    ['whitelist', '', 'allowlist/add', { name: 'anna' }, 'Added Anna to the whitelist'],
  ];
  for (const [action, reason, method, entry, words] of cases) {
    const { act, sent } = server({
      'minecraft:bans': [{ player: { name: 'Bob' } }],
      'minecraft:operators': [],
      'minecraft:allowlist': [],
      [`minecraft:${method}`]: [method.startsWith('allowlist') ? ANNA : { player: ANNA }],
    });
    t.equal(await act(action, reason), words);
    t.strictSame(sent, [[`minecraft:${method}`, [[entry]]]]);
  }
});

t.test('a ban has its end, and an operator the level that was chosen', async (t) => {
  const added = [{ player: ANNA }];
  for (const [action, details, list, sends] of [
    ['ban', { endsAt: Date.parse('2026-11-20T09:15:00Z') }, 'bans', { expires: '2026-11-20T09:15:00.000Z' }],
    ['op', { level: 2 }, 'operators', { permissionLevel: 2 }],
  ] as const) {
    const { management, sent } = server({ [`minecraft:${list}`]: [], [`minecraft:${list}/add`]: added });
    await actOverManagement(management, { action, name: 'anna', reason: '', ...details });
    t.strictSame(sent, [[`minecraft:${list}/add`, [[{ player: { name: 'anna' }, ...sends }]]]]);
  }
});

t.test('checks a removal by the list that is left', async (t) => {
  const cases: [PlayerAction, string, string][] = [
    ['pardon', 'bans', 'Unbanned Anna'],
    ['deop', 'operators', 'Made Anna no longer a server operator'],
    ['unwhitelist', 'allowlist', 'Removed Anna from the whitelist'],
  ];
  for (const [action, list, words] of cases) {
    const before = { [`minecraft:${list}`]: [{ player: ANNA }] };
    const { act, sent } = server({ ...before, [`minecraft:${list}/remove`]: [] });
    t.equal(await act(action), words);
    t.strictSame(sent, [[`minecraft:${list}/remove`, [[{ name: 'anna' }]]]]);
    const stays = server({ ...before, [`minecraft:${list}/remove`]: [{ player: ANNA }] });
    await t.rejects(stays.act(action), { reason: 'refused', message: /left anna on the list/ });
  }
});

t.test('makes no change if there is nothing to do, and reports that', async (t) => {
  for (const action of PLAYER_ACTIONS.filter((action) => action !== 'kick')) {
    const adds = ['ban', 'op', 'whitelist'].includes(action);
    const list = adds ? [ANNA] : [];
    const { act, sent } = server({ 'minecraft:bans': list, 'minecraft:operators': list, 'minecraft:allowlist': list });
    await t.rejects(
      act(action),
      { code: 'command_rejected', message: /Nothing changed|already|not whitelisted/ },
      action,
    );
    t.same(sent, []);
  }
});

t.test('returns player_not_found for a player that the server does not know', async (t) => {
  const { act } = server({
    'minecraft:players/kick': [],
    'minecraft:bans': [],
    'minecraft:bans/add': [{ name: 'Bob' }],
  });
  for (const action of ['kick', 'ban'] as const) await t.rejects(act(action), { code: 'player_not_found' }, action);
});

t.test('allows another way after a failed read, but not after a change that may have been made', async (t) => {
  const silent = new ManagementError('no-answer', 'nothing came');
  await t.rejects(server({ 'minecraft:bans': silent }).act('ban'), { name: 'ManagementError', reason: 'unavailable' });
  await t.rejects(server({ 'minecraft:bans': { odd: true } }).act('ban'), {
    name: 'ManagementError',
    reason: 'unavailable',
  });
  await t.rejects(server({ 'minecraft:bans': [], 'minecraft:bans/add': silent }).act('ban'), {
    name: 'ManagementError',
    reason: 'no-answer',
  });
  await t.rejects(server({ 'minecraft:players/kick': silent }).act('kick'), {
    name: 'ManagementError',
    reason: 'no-answer',
  });
});

const HALF_MANAGED = path.resolve(import.meta.dirname, '../../../fixtures/half-managed-server.ts');

t.test('kicks, bans and lists use the management protocol if it is turned on', async (t) => {
  const { service, lines, waitForLine } = await managedServer(t);
  for (const name of ['Anna', 'Ben']) service.sendLine(`demo join ${name}`);
  await until('both are known', () => service.status().players?.join() === 'Anna,Ben');
  t.match(await service.players(), [
    { name: 'Anna', uuid: /-/, op: false, since: /^\d{4}-/ },
    { name: 'Ben', uuid: /-/, op: false },
  ]);

  t.equal(await service.playerAction({ name: 'anna', action: 'kick', reason: 'bye @a' }), 'Kicked anna: bye \uff20a');
  await waitForLine(/Anna lost connection: bye/);
  await until('the departure is reported', () => service.status().players?.join() === 'Ben');
  await t.rejects(service.playerAction({ name: 'Anna', action: 'kick' }), { code: 'player_not_found' });

  t.equal(await service.playerAction({ name: 'Ben', action: 'ban', reason: 'x-ray' }), 'Banned Ben: x-ray');
  await until('no players are left', () => service.status().players === undefined);
  t.match(await service.listedPlayers('bans'), [{ name: 'Ben', reason: 'x-ray', source: 'Management server' }]);
  await t.rejects(service.playerAction({ name: 'Ben', action: 'ban' }), {
    code: 'command_rejected',
    message: /already banned/,
  });
  t.equal(await service.playerAction({ name: 'Ben', action: 'pardon' }), 'Unbanned Ben');
  t.same(await service.listedPlayers('bans'), []);

  t.equal(await service.playerAction({ name: 'Anna', action: 'op' }), 'Made Anna a server operator');
  t.match(await service.listedPlayers('operators'), [{ name: 'Anna', level: 4 }]);
  await service.playerAction({ name: 'Anna', action: 'deop' });
  await service.playerAction({ name: 'Anna', action: 'whitelist' });
  t.match(await service.listedPlayers('allowlist'), [{ name: 'Anna' }]);
  await service.playerAction({ name: 'Anna', action: 'unwhitelist' });
  for (const list of ['operators', 'allowlist'] as const) t.same(await service.listedPlayers(list), [], list);

  t.notOk(
    (await lines()).some((line) => /\[Rcon: |\]: (?:Banned|Kicked)/.test(line)),
    'no command was sent',
  );
});

t.test('returns player_not_found for an unknown name, with and without the protocol', async (t) => {
  for (const managed of [true, false]) {
    const { service } = await managedServer(t, { managed, properties: { 'online-mode': 'true' } });
    for (const action of ['ban', 'op', 'whitelist', 'kick'] as const)
      await t.rejects(
        service.playerAction({ name: 'Nobody', action }),
        { code: 'player_not_found' },
        `${action} ${managed}`,
      );
  }
});

t.test('hides a secret that the server generated', async (t) => {
  const { service, config, lines } = await managedServer(t);
  const properties = readFileSync(path.join(config.directory, 'server.properties'), 'utf8');
  const secret = /^management-server-secret=(.{40})$/m.exec(properties)?.[1] ?? t.fail('no secret was generated');
  service.sendLine(`say the secret is ${secret} indeed`);
  await until('the line is printed', async () => (await lines()).some((line) => line.endsWith(' indeed')));
  t.notOk((await lines()).join('\n').includes(String(secret)));
  t.equal((await service.properties()).properties['management-server-secret'], '********');
});

t.test('runs the command if the server does not support the method', async (t) => {
  const run = await runSupervisor(t, {
    config: {
      software: 'custom',
      launch: { command: [process.execPath, HALF_MANAGED] },
      readyPattern: '^up$',
    },
  });
  await start(run);
  const { service } = run;
  await until('the server has reported its players', () => service.status().players?.join() === 'Anna');
  t.same(
    (await service.players()).map(({ name }) => name),
    ['Anna'],
    'invalid names are skipped',
  );
  t.equal(await service.playerAction({ name: 'Anna', action: 'kick' }), 'Kicked Anna: by command');
});

t.test('the next supervisor manages a server that survived without its terminal', async (t) => {
  const home = homeAt(temporaryFolder(t));
  const directory = home.instanceDirectory('test');
  mkdirSync(directory, { recursive: true });
  // Only a Java process survives its terminal.
  writeFileSync(path.join(directory, 'java'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  const port = String(await freePort());
  const config = {
    launch: { command: ['./java', HALF_MANAGED, port, 'minecraft:players/kick'] },
    readyPattern: '^up$',
  };
  const first = await spawnSupervisor(t, { home, config });
  await startGame(first);
  await killSupervisor(first);
  killTerminal(home);
  const { call } = (await spawnSupervisor(t, { home, config })).client;
  await until('the players are known', async () => (await call.status()).players?.join() === 'Anna');
  t.match(await call.status(), { degraded: 'taken-over' });
  t.equal(await call.playerAction({ name: 'Anna', action: 'kick', reason: 'bye' }), 'Kicked Anna: bye');
  await t.rejects(call.playerAction({ name: 'Anna', action: 'op' }), { code: 'rcon_unavailable' });
});

interface ManagedOptions {
  managed?: boolean;
  properties?: Record<string, string>;
}

/** Starts the demo server and waits for the connection. */
async function managedServer(t: Test, { managed = true, properties = {} }: ManagedOptions = {}) {
  const run = await runSupervisor(t, {
    config: { rcon: { port: await freePort(), password: 'correct horse battery' } },
  });
  const { directory } = run.config;
  mkdirSync(directory, { recursive: true });
  const lines = Object.entries({
    'management-server-enabled': String(managed),
    'management-server-tls-enabled': 'false',
    ...properties,
  }).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(path.join(directory, 'server.properties'), lines.join(''));
  await start(run);
  if (managed) await until('it is connected', () => run.logged.includes('connected to the management server'));
  return run;
}

async function start({ service, waitForPhase }: RunningSupervisor): Promise<void> {
  await service.start();
  await waitForPhase('running');
}
