import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { type RunningSupervisor, runSupervisor } from '../../../support/processes/running-supervisor.ts';
import { killSupervisor, spawnSupervisor, startGame } from '../../../support/processes/spawned-supervisor.ts';

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
  // Only a Java process survives its supervisor.
  writeFileSync(path.join(directory, 'java'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  const port = String(await freePort());
  const config = {
    launch: { command: ['./java', HALF_MANAGED, port, 'minecraft:players/kick'] },
    readyPattern: '^up$',
  };
  const first = await spawnSupervisor(t, { home, config });
  await startGame(first);
  await killSupervisor(first);
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
