import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { freePort } from '../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

t.test('the demo server starts, becomes ready, and is saved and stopped over RCON', async (t) => {
  const rcon = { port: await freePort(), password: 'a long password' };
  const { service, phases, config, waitForPhase, lines } = await runSupervisor(t, { config: { rcon, maxPlayers: 7 } });
  await service.start();
  t.equal(service.status().phase, 'starting');
  await waitForPhase('running');
  const { pid, startedAt } = service.status();
  t.ok(pid && startedAt);
  const properties = readFileSync(join(config.directory, 'server.properties'), 'utf8');
  for (const line of [
    `server-port=${config.port}`,
    'max-players=7',
    'enable-rcon=true',
    `rcon.port=${rcon.port}`,
    'rcon.password=a long password',
  ])
    t.match(properties, line);
  await service.stop();
  await waitForPhase('stopped');
  t.strictSame(phases, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
  const text = (await lines()).join('\n');
  t.match(text, /\[gamekeeper\] Stopping: sent "save-all" over RCON\./);
  t.match(text, /Saved the game/);
  // From the game's log, since it may end before its RCON answer arrives.
  t.match(text, /\[Rcon: Stopping the server\]/);
  t.match(text, /\[gamekeeper\] The server has stopped \(exit code 0\)\./);
  t.notMatch(text, 'a long password');
  t.equal(service.status().crash, undefined);
  t.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' });
});

t.test('a server that refuses RCON is stopped over the console at once', async (t) => {
  const { service, waitForPhase, lines } = await runSupervisor(t, {
    config: {
      software: 'custom',
      rcon: { port: await freePort(), password: 'x' },
      launch: { command: ['sh', '-c', 'echo up; read line; echo "got $line"; read line; echo "got $line"'] },
      readyPattern: 'up',
      saveCommands: { flush: 'save it' },
      stopCommand: 'end it',
    },
  });
  await service.start();
  await waitForPhase('running');
  const begun = performance.now();
  await service.stop();
  await waitForPhase('stopped');
  t.ok(performance.now() - begun < 5_000);
  const text = (await lines()).join('\n');
  t.match(text, /\[gamekeeper\] Stopping: typed "save it" into the console \(Cannot connect to RCON/);
  t.match(text, /got save it.*got end it/s);
});

t.test('a chosen RCON port gives way if it is in use, a configured one is an error', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const { port } = holder.address() as AddressInfo;
  const { service, waitForPhase } = await runSupervisor(t, {
    config: { rcon: { port, password: 'a long password', chosen: true } },
  });
  await service.start();
  await waitForPhase('running');
  t.match(await service.command('list'), /There are 0 of a max/, 'RCON uses the new port');
  t.not((await service.properties()).properties['rcon.port'], String(port));

  const asked = await runSupervisor(t, { config: { rcon: { port, password: 'a long password' } } });
  await t.rejects(asked.service.start(), { code: 'port_in_use', message: new RegExp(`${port}`) });
});

t.test('a server that refuses the RCON password is stopped over the console', async (t) => {
  const [port, rconPort] = [await freePort(), await freePort()];
  const directory = temporaryFolder(t);
  writeFileSync(
    join(directory, 'server.properties'),
    `server-port=${port}\nenable-rcon=true\nrcon.port=${rconPort}\nrcon.password=the right one\n`,
  );
  const { service, waitForLine, waitForPhase, lines } = await runSupervisor(t, {
    config: {
      software: 'custom',
      directory,
      port,
      rcon: { port: rconPort, password: 'a wrong one' },
      launch: { command: [process.execPath, join(import.meta.dirname, '../../../../workers/demo/main.ts')] },
      readyPattern: 'RCON running on',
    },
  });
  await service.start();
  await waitForLine(/RCON running on/);
  await service.stop();
  await waitForPhase('stopped');
  const text = (await lines()).join('\n');
  t.match(text, /Stopping: typed "stop" into the console \(RCON on .* rejected the password\)/);
  t.match(text, /has stopped \(exit code 0\)/);
});

t.test('a start of a running server and a stop of a stopped one are refused with the state', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await t.rejects(service.stop(), { code: 'invalid_state', message: /stopped/ });
  await t.rejects(service.kill(), { code: 'invalid_state' });
  await service.start();
  await t.rejects(service.start(), { code: 'invalid_state', message: /starting/ });
  await waitForPhase('running');
  await t.rejects(service.start(), { code: 'invalid_state', message: /running/ });
});

t.test('of two starts at the same time one is refused', async (t) => {
  const { service } = await runSupervisor(t);
  const results = await Promise.allSettled([service.start(), service.start()]);
  t.strictSame(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

t.test('a stop during a start wins, and a second stop is fine', async (t) => {
  const { service, waitForPhase, phases } = await runSupervisor(t, {
    config: { software: 'custom', launch: { command: ['sh', '-c', 'read line'] }, readyPattern: 'never' },
  });
  await service.start();
  await service.stop();
  await service.stop();
  await waitForPhase('stopped');
  t.notOk(phases.includes('running'));
});

t.test('a server that ignores its stop command gets SIGTERM, then SIGKILL', async (t) => {
  const { service, waitForPhase, lines } = await runSupervisor(t, {
    config: {
      software: 'custom',
      launch: { command: ['sh', '-c', 'trap "echo no" TERM; echo up; while :; do sleep 0.05; done'] },
      readyPattern: 'up',
      stopTimeoutSeconds: 1,
    },
    timings: { stopGraceMs: () => 200 },
  });
  await service.start();
  await waitForPhase('running');
  await service.stop();
  await waitForPhase('stopped');
  const text = (await lines()).join('\n');
  t.match(
    text,
    /Still running after 1 s: sending SIGTERM\. SIGKILL follows in 200 ms\..*no.*Still running 200 ms after SIGTERM: sending SIGKILL\..*has stopped \(SIGKILL\)/s,
  );
});

t.test('a kill ends a server that ignores its stop', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t, {
    config: {
      software: 'custom',
      launch: { command: ['sh', '-c', 'trap "" TERM HUP; echo up; while :; do sleep 1; done'] },
      readyPattern: 'up',
      stopTimeoutSeconds: 3600,
    },
  });
  await service.start();
  await waitForPhase('running');
  await service.stop();
  t.equal(service.status().phase, 'stopping');
  await service.kill();
  await waitForPhase('stopped');
});

t.test('a restart stops and starts a server, and starts a stopped one', async (t) => {
  const { service, phases, waitForPhase } = await runSupervisor(t);
  await service.restart();
  await waitForPhase('running');
  const before = service.status().pid;
  await service.restart();
  await waitForPhase('starting');
  await waitForPhase('running');
  t.not(service.status().pid, before);
  t.strictSame(phases, ['stopped', 'starting', 'running', 'stopping', 'stopped', 'starting', 'running']);
});

t.test('a stop during a restart wins', async (t) => {
  const { service, phases, waitForPhase, supervisor } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  await service.restart();
  await service.stop();
  await supervisor.rest();
  t.strictSame(phases.slice(2), ['running', 'stopping', 'stopped']);
});

t.test('retire stops the game', async (t) => {
  const { service, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  await service.retire();
  t.equal(service.status().phase, 'stopped');
});
