import { execFileSync } from 'node:child_process';
import t from 'tap';
import type { LogsResponse } from '../../shared/schema/answers.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

t.test('the game survives kill -9 of the gateway, the jobs process and the daemon', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  t.equal((await gamekeeper.api('POST', '/instances/demo/backup')).status, 200);
  const game = pidOf(/workers\/demo/);
  const addresses = gamekeeper.addresses();

  process.kill(pidOf(/gateway\/main/), 'SIGKILL');
  await until('the gateway serves again', () =>
    fetch(`${addresses.panel}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  t.match(await gamekeeper.waitForStatus('demo', 'running'), { phase: 'running' }, 'on the same port');

  const jobs = pidOf(/workers\/jobs/);
  process.kill(jobs, 'SIGKILL');
  await until('the killed process is gone', () => processesOf(gamekeeper.home).every(({ pid }) => pid !== jobs));
  const backup = await until('a backup succeeds again', async () => {
    const answer = await gamekeeper.api('POST', '/instances/demo/backup');
    return answer.status === 200 && answer;
  });
  t.match(backup.body, { sha256: /^[0-9a-f]{64}$/ });

  await gamekeeper.endDaemon('SIGKILL');
  await until(
    'gateway and jobs have ended',
    () => processesOf(gamekeeper.home).every(({ command }) => !/gateway\/main|workers\/jobs/.test(command)),
    {
      deadlineMs: 10_000,
    },
  );
  t.equal(pidOf(/workers\/demo/), game, 'the game keeps running');
  await gamekeeper.startDaemon();
  const reattached = await gamekeeper.waitForStatus('demo', 'running');
  t.ok((reattached.uptimeSeconds ?? 0) > 0);
  t.equal(pidOf(/workers\/demo/), game, 'the same game is reattached');
  t.match((await gamekeeper.api('POST', '/instances/demo/commands', { command: 'list' })).body, {
    output: /There are 0 of a max/,
  });

  await gamekeeper.api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  const { lines } = (await gamekeeper.api<LogsResponse>('GET', '/instances/demo/logs?lines=1000')).body;
  t.equal(lines.filter((line) => /Done \(/.test(line)).length, 1, 'the log has one start');
  t.match(lines.join('\n'), /Stopping/);

  function pidOf(command: RegExp): number {
    const found = processesOf(gamekeeper.home).filter((candidate) => command.test(candidate.command));
    if (found.length !== 1) throw new Error(`${found.length} processes match ${command}`);
    return found[0]!.pid;
  }
});

t.test('the daemon survives kill -9 of a gateway that is starting', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.endDaemon('SIGTERM');
  const starting = gamekeeper.startDaemon();
  const gateway = await until('a gateway process exists', () =>
    processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command)),
  );
  process.kill(gateway.pid, 'SIGKILL');
  await starting;
  await until('the gateway serves', () =>
    fetch(`${gamekeeper.addresses().panel}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});

t.test('down --with-servers stops everything, and down alone leaves the servers running', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');

  t.match(await gamekeeper.cli('down'), { code: 0 });
  await until('the daemon is gone', () =>
    processesOf(gamekeeper.home).every(({ command }) => !/daemon\/main|gateway\/main/.test(command)),
  );
  t.ok(
    processesOf(gamekeeper.home).some(({ command }) => /workers\/demo/.test(command)),
    'the server keeps running',
  );

  await gamekeeper.startDaemon();
  await gamekeeper.waitForStatus('demo', 'running');
  t.match(await gamekeeper.cli('down', '--with-servers'), { code: 0 });
  await until('no process is left', () => processesOf(gamekeeper.home).length === 0);

  await gamekeeper.startDaemon();
  const { body } = await gamekeeper.api<Instance>('GET', '/instances/demo');
  t.match(body, { status: 'stopped', phase: 'stopped' }, 'a graceful stop, not a crash');
  t.notOk(body.crash);
});

t.test('the daemon of a copied data directory leaves the processes of the original alone', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const before = processesOf(gamekeeper.home).map(({ pid }) => pid);
  const copy = await startGamekeeper(t);
  await copy.endDaemon('SIGTERM');
  execFileSync('cp', ['-a', `${gamekeeper.home}/.`, copy.home]);

  await copy.startDaemon();
  t.match(await copy.waitForStatus('demo', 'stopped'), { phase: 'stopped' });
  t.match(await copy.cli('down', '--with-servers'), { code: 0 });
  t.same(
    processesOf(gamekeeper.home).map(({ pid }) => pid),
    before,
  );
  t.match(await gamekeeper.waitForStatus('demo', 'running'), { degraded: undefined, crash: undefined });
});
