import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { pingServer } from '../../../../shared/node/list-ping/ping-server.ts';
import { exchange, handshake, tryToJoin } from '../../../support/machine/game-client.ts';
import { until } from '../../../support/machine/until.ts';
import {
  type RunningSupervisorOptions,
  runSupervisor,
  testPeer,
} from '../../../support/processes/running-supervisor.ts';

/** A tenth of a second, in minutes. */
const SOON = 0.1 / 60;

/** A demo server that has fallen asleep. */
async function asleep(t: Test, options: RunningSupervisorOptions = {}) {
  const running = await runSupervisor(t, {
    timings: { pingEveryMs: 40 },
    ...options,
    config: { sleepWhenEmptyMinutes: SOON, ...options.config },
  });
  await running.service.start();
  await running.waitForPhase('sleeping');
  const { port } = running.config;
  await until('it listens', () => pingServer({ host: '127.0.0.1', port, timeoutMs: 1_000 }).then(Boolean, () => false));
  let runs = 1;
  /** From the recorded phases: polling would miss it, because the server falls asleep again quickly. */
  const runsAgain = async () => {
    runs += 1;
    await until('it runs again', () => running.phases.filter((phase) => phase === 'running').length >= runs);
  };
  return { ...running, port, runsAgain };
}

/** Creates a server folder with these files. */
function folder(t: Test, files: Record<string, string | Buffer>): string {
  const directory = join(t.testdir(), 'server');
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

t.test('an empty server is stopped, listens, and starts when a player joins', async (t) => {
  const directory = folder(t, { 'server.properties': 'motd=Home\nmax-players=7\n', 'server-icon.png': 'icon' });
  const { service, port, phases, runsAgain, waitForLine, lines } = await asleep(t, { config: { directory } });
  t.match((await lines()).join('\n'), /No players for .* going to sleep\..*Stopping: sent "save-all".*has stopped/s);
  t.notOk('pid' in service.status());
  const ping = await pingServer({ host: '127.0.0.1', port, timeoutMs: 10_000 });
  t.match(ping, { online: 0, max: 7, version: '1.20.4', protocol: 765 });
  const status = await exchange(
    port,
    Buffer.concat([handshake(1), Buffer.of(1, 0), Buffer.from([9, 1, ...Buffer.alloc(8)])]),
  );
  t.match(status, /"version":\{"name":"1\.20\.4","protocol":764\}/, "the client's own protocol");
  t.match(status, /"text":"Home\\n§7asleep: join to start it"/);
  t.match(status, /"favicon":"data:image\/png;base64,aWNvbg=="/);
  const legacy = Buffer.from(await exchange(port, Buffer.of(0xfe, 1)), 'latin1');
  t.ok(legacy.length > 0);

  t.match(await tryToJoin(port, 'Steve'), '{"text":"Test is starting. Join again in a minute."}');
  await runsAgain();
  await waitForLine(/Steve wants to join: waking up\./);
  t.strictSame(phases.slice(0, 7), ['stopped', 'starting', 'running', 'stopping', 'sleeping', 'starting', 'running']);
});

t.test('only a complete login with a valid name wakes a server', async (t) => {
  const { service, port } = await asleep(t);
  const login = handshake(2);
  for (const bytes of [
    Buffer.from(`GET / HTTP/1.1\r\nHost: ${'x'.repeat(99)}\r\n\r\n`),
    Buffer.concat([handshake(1), handshake(1)]),
    Buffer.concat([login, Buffer.of(1, 0)]),
    Buffer.concat([login, Buffer.of(7, 0, 9, ...Buffer.from('Steve'))]),
    Buffer.concat([login, Buffer.of(7, 0, 5, ...Buffer.from('St ve'))]),
    Buffer.concat([handshake(9), Buffer.of(7, 0, 5, ...Buffer.from('Steve'))]),
  ])
    t.equal(await exchange(port, bytes), '');
  t.equal(service.status().phase, 'sleeping');
});

t.test('banned players and those missing on the whitelist cannot wake a server, operators can', async (t) => {
  const directory = folder(t, {
    'server.properties': 'white-list=true\n',
    'whitelist.json': JSON.stringify([{ name: 'Alex' }, { name: 'Eve' }]),
    'ops.json': JSON.stringify([{ name: 'Steve' }]),
    'banned-players.json': JSON.stringify([{ name: 'eve' }]),
  });
  const { service, port, runsAgain } = await asleep(t, { config: { directory } });
  t.match(await tryToJoin(port, 'Mallory'), 'You are not white-listed on this server!');
  t.match(await tryToJoin(port, 'Eve'), 'You are banned from this server.');
  t.equal(service.status().phase, 'sleeping');
  t.match(await tryToJoin(port, 'Steve'), 'is starting');
  await runsAgain();
});

t.test('a long ban list is respected, and a list that cannot be read keeps all players out', async (t) => {
  // More than 1 MiB.
  const banned = Array.from({ length: 20_000 }, (_, count) => ({ name: `Banned${count}`, reason: 'x'.repeat(40) }));
  const directory = folder(t, { 'banned-players.json': JSON.stringify(banned) });
  const { service, port, lines } = await asleep(t, { config: { directory } });
  t.match(await tryToJoin(port, 'banned19999'), 'You are banned from this server.');
  writeFileSync(join(directory, 'banned-players.json'), '[{');
  for (const name of ['Steve', 'Alex']) t.match(await tryToJoin(port, name), 'cannot check who may join');
  t.equal((await lines()).filter((line) => /banned-players\.json .* is not a JSON list/.test(line)).length, 1);
  t.equal(service.status().phase, 'sleeping');
});

t.test('an expired ban does not keep a player out', async (t) => {
  const ban = (name: string, expires: string) => ({ name, created: '2020-01-01 00:00:00 +0000', expires });
  const bans = [ban('Past', '2020-02-01 00:00:00 +0000'), ban('Coming', '2999-01-01 00:00:00 +0000')];
  const directory = folder(t, { 'banned-players.json': JSON.stringify([...bans, ban('Ever', 'forever')]) });
  const { port, runsAgain } = await asleep(t, { config: { directory } });
  for (const name of ['Coming', 'Ever']) t.match(await tryToJoin(port, name), 'You are banned from this server.');
  t.match(await tryToJoin(port, 'Past'), 'is starting');
  await runsAgain();
});

t.test('a change of the settings during a start does not open the port again', async (t) => {
  const woken = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let armed = false;
  const { service, config, port, runsAgain } = await asleep(t, {
    upstream: {
      async leasePorts() {
        if (!armed) return null;
        armed = false;
        woken.resolve();
        await gate.promise;
        return null;
      },
    },
  });
  armed = true;
  await tryToJoin(port, 'Steve');
  await woken.promise;
  await service.configure({ ...config, name: 'Other' });
  await t.rejects(pingServer({ host: '127.0.0.1', port, timeoutMs: 500 }));
  gate.resolve();
  await runsAgain();
});

t.test('a server with players, or without a player list, does not sleep', async (t) => {
  const played = await runSupervisor(t, { timings: { pingEveryMs: 40 }, config: { sleepWhenEmptyMinutes: 20 * SOON } });
  await played.service.start();
  await played.waitForPhase('running');
  await played.service.command('demo join Steve');
  const directory = folder(t, { 'server.properties': 'enable-status=false\n' });
  const silent = await runSupervisor(t, {
    timings: { pingEveryMs: 40 },
    config: { sleepWhenEmptyMinutes: SOON, directory },
  });
  await silent.service.start();
  await silent.waitForPhase('running');
  // Started later, and must be empty for longer.
  await asleep(t, { config: { sleepWhenEmptyMinutes: 25 * SOON } });
  t.equal(played.service.status().phase, 'running');
  t.equal(silent.service.status().phase, 'running');
  await played.service.command('demo leave Steve');
  await played.waitForPhase('sleeping');
});

t.test('a requested stop is no sleep; a sleeping server can be stopped, started and restarted', async (t) => {
  const { service, port, runsAgain, waitForPhase, phases } = await asleep(t);
  await service.stop();
  t.equal(service.status().phase, 'stopped');
  await until('the port is free', () =>
    pingServer({ host: '127.0.0.1', port, timeoutMs: 500 }).then(
      () => false,
      () => true,
    ),
  );
  await t.rejects(service.stop(), { code: 'invalid_state' });
  await service.start();
  await runsAgain();
  await waitForPhase('sleeping');
  await service.start();
  await runsAgain();
  await waitForPhase('sleeping');
  await service.restart();
  await runsAgain();
  await service.stop();
  await waitForPhase('stopped');
  t.equal(phases.at(-1), 'stopped');
});

t.test('joining does not start a server whose folder is locked', async (t) => {
  const { service, port, runsAgain } = await asleep(t);
  const { leaseId, quiesced } = await service.hold('backing-up', testPeer());
  t.ok(quiesced);
  t.match(await tryToJoin(port, 'Steve'), 'Test is being backed up. Join again in a few minutes.');
  t.equal(service.status().phase, 'sleeping');
  await service.release(leaseId);
  const mods = await service.hold('installing', testPeer());
  t.match(await tryToJoin(port, 'Steve'), 'Test is being changed: mods or files are being installed. Join again');
  await service.release(mods.leaseId);
  const restore = await service.hold('restoring', testPeer());
  t.match(await tryToJoin(port, 'Steve'), 'Test is being restored from a backup.');
  await service.release(restore.leaseId);
  await tryToJoin(port, 'Steve');
  await runsAgain();
});

t.test('a sleeping server follows a change of its port, and wakes no more once sleep is off', async (t) => {
  const { service, config, port, waitForLine } = await asleep(t);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => other.close());
  const taken = (other.address() as { port: number }).port;
  await service.configure({ ...config, port: taken });
  await waitForLine(
    new RegExp(`Players cannot wake this server for now: port ${taken} is not available \\(EADDRINUSE\\)`),
  );
  await t.rejects(pingServer({ host: '127.0.0.1', port, timeoutMs: 500 }));
  await t.rejects(service.start(), { code: 'port_in_use' });
  t.equal(service.status().phase, 'sleeping');
  await service.configure(config);
  await until('it listens again', () =>
    pingServer({ host: '127.0.0.1', port, timeoutMs: 500 }).then(Boolean, () => false),
  );
  const { sleepWhenEmptyMinutes: _, ...sleepless } = config;
  await service.configure(sleepless);
  t.equal(service.status().phase, 'stopped');
});

t.test('the next supervisor of a sleeping server keeps it asleep', async (t) => {
  const { service, port, waitForPhase } = await asleep(t).then(async (first) => {
    await first.supervisor.close();
    return runSupervisor(t, { config: first.config }).then((second) => ({ ...second, port: first.port }));
  });
  await service.sleep();
  t.equal(service.status().phase, 'sleeping');
  await until('it listens', () => pingServer({ host: '127.0.0.1', port, timeoutMs: 500 }).then(Boolean, () => false));
  await tryToJoin(port, 'Steve');
  await waitForPhase('running');
});
