import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { decodeBatches } from '../../../shared/contract/console-batch.ts';
import type { PortConflict, PortUse } from '../../../shared/domain/instance/port-use.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { runSupervisor, testPeer } from '../../support/processes/running-supervisor.ts';

/** A server without RCON that answers every line. */
const CONSOLE_ONLY = {
  software: 'custom',
  launch: { command: ['sh', '-c', 'echo up; while read line; do echo "you said $line"; echo "and so on"; done'] },
  readyPattern: 'up',
};

t.test('the answer to a command over RCON is complete and redacted', async (t) => {
  const rcon = { port: await freePort(), password: 'correct horse battery' };
  const { service, waitForPhase } = await runSupervisor(t, { config: { rcon } });
  await service.start();
  await waitForPhase('running');
  t.match(await service.command('seed'), /^Seed: \[-?\d+\]$/);
  t.equal((await service.command('demo answer 10000')).length, 10_000);
  t.notMatch(await service.command('demo answer 30 correct horse battery'), 'correct horse battery');
  t.match(await service.command('demo answer 30 at 203.0.113.77 now'), /\[ip-/);
});

t.test('without RCON the answer is the next output of the console', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, { config: CONSOLE_ONLY });
  await service.start();
  await waitForPhase('running');
  t.equal(await service.command('hello'), 'you said hello\nand so on');
});

t.test('sendLine types into the console without waiting', async (t) => {
  const { service, waitForPhase, waitForLine } = await runSupervisor(t, { config: CONSOLE_ONLY });
  t.throws(() => service.sendLine('hello'), { code: 'invalid_state' });
  await t.rejects(service.command('hello'), { code: 'invalid_state', message: /stopped/ });
  await service.start();
  await waitForPhase('running');
  service.sendLine('there');
  await waitForLine(/you said there/);
});

t.test('the terminal keeps its last size over a restart', async (t) => {
  const command = ['sh', '-c', 'echo up; while read line; do stty size; done'];
  const { service, lines, waitForPhase, waitForLine } = await runSupervisor(t, {
    config: { ...CONSOLE_ONLY, launch: { command } },
  });
  t.throws(() => service.resize({ columns: 0, rows: 10 }), { code: 'invalid_request' });
  service.resize({ columns: 101, rows: 31 });
  await service.start();
  await waitForPhase('running');
  service.sendLine('?');
  await waitForLine(/^31 101$/);
  service.resize({ columns: 102, rows: 32 });
  await until('the terminal has the new size', async () => {
    service.sendLine('?');
    return (await lines()).includes('32 102');
  });
  service.resize({ columns: 103, rows: 33 });
  await service.kill();
  await waitForPhase('stopped');
  await service.start();
  await waitForPhase('running');
  service.sendLine('?');
  await waitForLine(/^33 103$/);
});

t.test('control characters, empty and endless lines are refused', async (t) => {
  const { service } = await runSupervisor(t);
  for (const line of ['a\nstop', 'a\rstop', '\x03', 'a\x1b[A', '', '  ', 'x'.repeat(1_447)]) {
    t.throws(() => service.sendLine(line), { code: 'invalid_request' });
    await t.rejects(service.command(line), { code: 'invalid_request' });
  }
});

t.test('the live console streams encoded batches until its viewer leaves', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, { config: CONSOLE_ONLY });
  const viewer = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const batch of service.console(viewer.signal)) seen.push(Buffer.from(batch).toString());
  })();
  await service.start();
  await waitForPhase('running');
  service.sendLine('hello');
  await until('the viewer sees it', () => seen.join('').includes('and so on'));
  viewer.abort();
  await watching;
  const batches = decodeBatches(await service.readConsole({ tail: 2 }));
  t.equal(batches.map(({ text }) => Buffer.from(text).toString()).join(''), 'you said hello\r\nand so on\r\n');
});

t.test('players are counted, listed and acted on without typing into the console', async (t) => {
  const rcon = { port: await freePort(), password: 'correct horse battery' };
  const { service, waitForPhase, lines } = await runSupervisor(t, {
    config: { rcon, maxPlayers: 7, version: '1.20.4' },
  });
  t.strictSame(await service.players(), []);
  await service.start();
  await waitForPhase('running');
  await service.command('demo join Anna');
  await service.command('demo join Ben');
  await until('two players are counted', () => service.status().playersOnline === 2);
  t.equal(service.status().maxPlayers, 7);
  await service.playerAction({ name: 'Ben', action: 'op' });
  const players = await service.players();
  t.match(players, [
    { name: 'Anna', op: false, since: /^\d{4}-/ },
    { name: 'Ben', op: true, uuid: /-/ },
  ]);
  t.match(await service.playerAction({ name: 'Anna', action: 'kick', reason: 'bye' }), /Kicked Anna: bye/);
  t.strictSame(
    (await service.players()).map(({ name }) => name),
    ['Ben'],
  );
  await t.rejects(service.playerAction({ name: 'Anna', action: 'kick' }), { code: 'player_not_found' });
  await service.command('demo join *Carl');
  t.match(
    await service.playerAction({ name: '*Carl', action: 'kick' }),
    /Kicked \*Carl: /,
    'quoted for the command parser',
  );
  await t.rejects(service.playerAction({ name: 'Ben', action: 'op' }), {
    code: 'command_rejected',
    message: /already is an operator/,
  });
  await t.rejects(service.playerAction({ name: '@a', action: 'kick' }), { code: 'invalid_request' });
  t.notOk((await lines()).some((line) => /^> |^list$/.test(line)));
});

t.test('without RCON, players come from the console and actions go there', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, {
    config: {
      ...CONSOLE_ONLY,
      launch: {
        command: [
          'sh',
          '-c',
          'echo up; echo "[12:00:00 INFO]: Anna joined the game"; while read a b c; do case "$a $b" in "kick Anna") echo "[12:00:00 INFO]: Kicked Anna: $c"; echo "[12:00:00 INFO]: Anna left the game";; *) echo "[12:00:00 INFO]: No player was found";; esac; done',
        ],
      },
    },
  });
  await service.start();
  await waitForPhase('running');
  await until('the console has reported the player', async () => (await service.players())[0]?.name === 'Anna');
  t.match(await service.playerAction({ name: 'Anna', action: 'kick', reason: 'bye' }), 'Kicked Anna: bye');
  t.strictSame(await service.players(), []);
  await t.rejects(service.playerAction({ name: 'Ben', action: 'kick' }), { code: 'player_not_found' });
});

t.test('CPU, memory and free disk space are shown only while the server runs', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  t.notOk('memoryUsedMb' in service.status());
  await service.start();
  await waitForPhase('running');
  await until('the first sample is taken', () => service.status().memoryUsedMb !== undefined, { deadlineMs: 1_900 });
  t.ok((service.status().memoryUsedMb ?? 0) > 10);
  t.ok((service.status().cpuPercent ?? -1) >= 0);
  await until('the disk is measured', () => (service.status().diskFreeBytes ?? 0) > 0);
  await service.stop();
  await waitForPhase('stopped');
  for (const stat of ['memoryUsedMb', 'cpuPercent', 'playersOnline', 'diskFreeBytes'])
    t.notOk(stat in service.status(), stat);
});

t.test('properties are read and written, and the port follows the instance', async (t) => {
  const { service, config, waitForPhase } = await runSupervisor(t);
  t.strictSame((await service.properties()).properties, { 'server-port': String(config.port) });
  await service.start();
  await waitForPhase('running');
  const { properties, etag } = await service.properties();
  t.match(properties, { 'server-port': String(config.port), 'rcon.password': '********' });
  const changed = await service.setProperties({ properties: { motd: 'Grüße' }, ifMatch: etag });
  t.equal(changed.properties.motd, 'Grüße');
  await t.rejects(service.setProperties({ properties: { motd: 'x' }, ifMatch: etag }), { code: 'precondition_failed' });
  await t.rejects(service.setProperties({ properties: { 'server-port': '0' } }), { code: 'invalid_request' });
  await service.setProperties({ properties: { 'server-port': '4000' } });
  t.equal(config.port, 4000);
  service.configure({ ...config, port: 4001 });
  t.match((await service.properties()).properties, { 'server-port': '4001' });
});

t.test('the port in a restored folder does not change the port of the instance', async (t) => {
  const { service, config } = await runSupervisor(t);
  await mkdir(config.directory, { recursive: true });
  const port = String(config.port);
  const file = path.join(config.directory, 'server.properties');
  await writeFile(file, `server-port=${port}\n`);
  await service.properties();
  const { leaseId } = await service.hold('restoring', testPeer());
  await writeFile(file, 'server-port=4000\n');
  await service.release(leaseId);
  t.match((await service.properties()).properties, { 'server-port': port });
  t.equal(await readFile(file, 'utf8'), `server-port=${port}\n`);
});

t.test('a sleeping server listens on its port, also after a change of the port', async (t) => {
  const { service, config, waitForPhase } = await runSupervisor(t, { config: { sleepWhenEmptyMinutes: 5 } });
  const hears = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  await mkdir(config.directory, { recursive: true });
  await service.sleep();
  await waitForPhase('sleeping');
  const held = () =>
    service
      .status()
      .ports?.map(({ port }) => port)
      .join();
  await until('the port is leased', () => held() === String(config.port));
  await until('it listens', () => hears(config.port));
  const port = await freePort();
  await service.setProperties({ properties: { 'server-port': String(port) } });
  await until('it listens on the new port', () => hears(port));
  await until('the new port is leased', () => held() === String(port), { describe: held });
  await service.stop();
  await waitForPhase('stopped');
  t.equal(held(), undefined);
});

t.test('a start leases its ports from the daemon and releases them at the end', async (t) => {
  const asked: PortUse[][] = [];
  let holder: PortConflict['holder'] = { id: 'other', name: 'Other', purpose: 'game' };
  const { service, config, waitForPhase } = await runSupervisor(t, {
    upstream: {
      async leasePorts(ports) {
        asked.push(ports);
        return holder ? { wanted: ports[0]!, holder } : null;
      },
    },
  });
  await t.rejects(service.start(), {
    code: 'port_in_use',
    message: `The port ${config.port} is in use by another instance, as its port.`,
  });
  t.equal(service.status().ports, undefined);
  holder = null;
  await service.start();
  t.match(service.status().ports, [{ purpose: 'game', transport: 'tcp', port: config.port }, { purpose: 'rcon' }]);
  t.same(asked.at(-1), service.status().ports, 'all ports in one request');
  await waitForPhase('running');
  t.equal(config.rcon?.port, asked.at(-1)?.[1]?.port, 'the instance has the chosen RCON port');
  await service.stop();
  await waitForPhase('stopped');
  t.equal(service.status().ports, undefined);
});
