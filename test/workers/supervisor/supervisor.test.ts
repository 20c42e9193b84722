import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { runSupervisor } from '../../support/processes/running-supervisor.ts';

t.test('console lines, bytes and redactions are counted over all runs of the server', async (t) => {
  const script =
    'echo "Alice[/203.0.113.7:5000] logged in"; echo "Bob[/203.0.113.8:5000] logged in"; echo done; exec cat';
  const { service, waitForLine, waitForPhase } = await runSupervisor(t, {
    config: { software: 'custom', launch: { command: ['sh', '-c', script] }, readyPattern: 'done' },
  });
  t.same(service.stats().console, { lines: 0, bytes: 0, redactions: 0 });
  await service.start();
  await waitForLine(/^done$/);
  const { lines, bytes, redactions } = service.stats().console;
  t.equal(lines, 3);
  t.equal(bytes, `${script.match(/"[^"]+"/g)?.join('')}done`.length - 4 + 3 * 2, 'line ends are counted');
  t.equal(redactions, 2);
  await service.kill();
  await waitForPhase('stopped');
  await service.start();
  await until('the second run is counted as well', () => service.stats().console.redactions === 4);
});

t.test('connections, answers and failures of RCON are counted', async (t) => {
  const rcon = { port: await freePort(), password: 'correct horse battery' };
  const { service, waitForPhase } = await runSupervisor(t, { config: { rcon } });
  t.match(service.stats().rcon, { connections: 0, errors: 0, latency: { sum: 0 } });
  await service.start();
  await waitForPhase('running');
  await service.command('seed');
  await service.command('list');
  const { connections, errors, latency } = service.stats().rcon;
  t.equal(connections, 1);
  t.equal(errors, 0);
  t.equal(latency.counts.length, latency.bounds.length + 1);
  t.equal(
    latency.counts.reduce((sum, count) => sum + count),
    2,
  );
  t.ok(latency.sum > 0 && latency.sum < 60);
  await service.kill();
  await waitForPhase('stopped');
  t.equal(service.stats().rcon.errors, 0, 'a requested stop is not an error');
});

t.test('the stats of the process include memory, CPU and the lag of the event loop', async (t) => {
  const { service } = await runSupervisor(t);
  const first = service.stats().process;
  t.equal(first.pid, process.pid);
  t.ok(Math.abs(first.startedAt - performance.timeOrigin) < 1);
  t.ok(first.residentBytes > first.heapUsedBytes && first.heapUsedBytes > 1_000_000);
  if (process.platform === 'linux') t.ok((first.openFiles ?? 0) > 3);
  for (const end = performance.now() + 600; performance.now() < end; ) Math.sqrt(2);
  const held = await until('the lag is measured', () => {
    const stats = service.stats().process;
    return stats.lagMaxSeconds > 0.3 && stats;
  });
  t.ok(held.lagMaxSeconds < 30 && held.lagP99Seconds <= held.lagMaxSeconds);
  t.ok(held.cpuSeconds > first.cpuSeconds);
});

t.test('who hands over leaves only when everything is on disk', async (t) => {
  const { supervisor, service, home, waitForPhase } = await runSupervisor(t);
  await service.start();
  await waitForPhase('running');
  const { pid } = service.status();
  t.teardown(() => process.kill(pid!, 'SIGKILL')); // it belongs to nobody then
  await service.command('demo join Eve 203.0.113.7');
  await until('Eve is online', () => service.status().players?.includes('Eve'));
  const written = supervisor.retired.then(() =>
    readFileSync(path.join(home.consoleLogDirectory('test'), 'players.json'), 'utf8'),
  );
  t.match(await service.handOver(), { players: [{ name: 'Eve' }] });
  t.match(await written, /Eve/);
});
