/** /metrics of a running Gamekeeper, read by Prometheus and promtool. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { dashboardQueries } from '../support/machine/dashboard-queries.ts';
import { freePort } from '../support/machine/free-port.ts';
import { startPrometheus } from '../support/machine/prometheus.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

/** The text of a scrape is at most this old. Milliseconds. */
const TEXT_AGE_MS = 1_000;
const DASHBOARD = path.resolve(import.meta.dirname, '../../docs/grafana-dashboard.json');

/** Starts a Gamekeeper with values for all metrics: a running server, a command, a backup, a console viewer. */
async function busyGamekeeper(t: Test): Promise<Gamekeeper> {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'list' });
  await gamekeeper.api('POST', '/instances/demo/backup');
  const console = await gamekeeper.console('demo');
  await console.waitFor(/Done/);
  return gamekeeper;
}

async function scrape(gamekeeper: Gamekeeper, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${gamekeeper.addresses().panel}/metrics`, { headers });
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  return answer.text();
}

t.test("Debian's promtool finds no fault in the metrics", async (t) => {
  if (!requireProgram(t, 'promtool', 'prometheus')) return;
  const gamekeeper = await busyGamekeeper(t);
  const text = await until('every process is listed', async () => {
    const metrics = await scrape(gamekeeper);
    return /^gamekeeper_process_up\{process="jobs"\} 1$/m.test(metrics) && metrics;
  });
  for (const name of [
    'process_up{process="gateway"} 1',
    'process_up{process="daemon"} 1',
    'process_up{process="supervisor",instance="demo"} 1',
    'instances{phase="running"} 1',
    'backups{instance="demo",software="demo"} 1',
    'console_viewers{instance="demo",software="demo"} 1',
    'rcon_connections_total{instance="demo",software="demo"} 1',
  ])
    t.ok(text.split('\n').includes(`gamekeeper_${name}`), name);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  t.equal(`${stdout}${stderr}`, '');
  t.equal(status, 0);
});

t.test("Debian's Prometheus scrapes the metrics and runs every query of the dashboard", async (t) => {
  if (!requireProgram(t, 'prometheus', 'prometheus')) return;
  const gamekeeper = await busyGamekeeper(t);
  const target = new URL(gamekeeper.addresses().panel).host;
  const { query } = await startPrometheus(t, { target, labels: { host: 'here' } });
  await until('the target is up', async () => (await query('up == 1')).length === 1);
  await until(
    'the CPU usage is known',
    async () => (await query('gamekeeper_instance_cpu_ratio{instance="demo"}')).length > 0,
  );
  const [found] = await query('gamekeeper_instance_up{instance="demo"}');
  t.match(found?.metric, { instance: 'demo', software: 'demo', job: 'gamekeeper', host: 'here' });
  t.equal(found?.value[1], '1');
  t.equal((await query('count(gamekeeper_process_up == 1)'))[0]?.value[1], '4', 'gateway, daemon, jobs, supervisor');
  t.ok(Number((await query('scrape_samples_scraped'))[0]?.value[1]) > 100);

  const values = { __rate_interval: '5s', __range: '1m', host: '.*', instance: '.*' };
  for (const { panel, query: template } of dashboardQueries(readFileSync(DASHBOARD, 'utf8'))) {
    const asked = template.replace(/\$(\w+)/g, (_, name: string) => values[name as keyof typeof values] ?? '');
    // Rates need two scrapes.
    await until(`${panel} shows something`, async () => (await query(asked)).length > 0, { describe: () => asked });
  }
});

t.test('a process that hangs does not delay a scrape and is shown as down', async (t) => {
  const gamekeeper = await busyGamekeeper(t);
  const up = 'gamekeeper_process_up{process="supervisor",instance="demo"}';
  await until('the supervisor is listed', async () => (await scrape(gamekeeper)).includes(`${up} 1`));
  const supervisor = processesOf(gamekeeper.home).find(({ command }) => /workers\/supervisor\/main/.test(command));
  const pid = supervisor?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => processesOf(gamekeeper.home).some((process) => process.pid === pid) && process.kill(pid, 'SIGCONT'));
  const times: number[] = [];
  for (let count = 0; count < 5; count++) {
    await sleep(TEXT_AGE_MS);
    const began = performance.now();
    t.ok((await scrape(gamekeeper)).includes(`${up} 0`));
    times.push(performance.now() - began);
  }
  const rounded = times.map(Math.round).join(', ');
  t.ok(Math.min(...times) < 1_000, `the quickest on this machine: ${rounded} ms`);
  t.ok(Math.max(...times) < 2_000, `a machine that is busy otherwise gets more time: ${rounded} ms`);
  process.kill(pid, 'SIGCONT');
  await until('the supervisor answers again', async () => (await scrape(gamekeeper)).includes(`${up} 1`));
});

t.test('a scrape starts no process', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  for (let count = 0; count < 3; count++) {
    const text = await scrape(gamekeeper);
    t.match(text, /^gamekeeper_instance_up\{instance="demo",software="demo"\} 0$/m);
    t.notMatch(text, /process="(?:jobs|supervisor)"/);
  }
  t.notOk(processesOf(gamekeeper.home).some(({ command }) => /workers\//.test(command)));
  const answer = await fetch(`${gamekeeper.addresses().panel}/metrics`, {
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  t.equal(answer.status, 401, 'other machines need a credential');
});
