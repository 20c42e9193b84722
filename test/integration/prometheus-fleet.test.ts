/** Debian's Prometheus finds a real daemon at a real proxy, and scrapes its metrics through the relay with a token that can do nothing else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { requestJson } from '../support/http/request-json.ts';
import { runPrometheus } from '../support/machine/prometheus.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { oauthWorld } from '../support/proxy/oauth-world.ts';

const COMMAND_LINE = path.join(import.meta.dirname, '../../dist/daemon/cli/main.js');

t.test('Prometheus finds and scrapes a daemon; its token is good for nothing else', async (t) => {
  if (!requireProgram(t, 'prometheus', 'prometheus')) return;
  const [gamekeeper, world] = [await startGamekeeper(t), await oauthWorld(t)];
  const { proxy } = world;
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const child = spawn(process.execPath, [COMMAND_LINE, 'link', proxy.url, '--name', 'Attic', '--telemetry', '--json'], {
    env: { ...process.env, GAMEKEEPER_HOME: gamekeeper.home },
  });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const lines: Record<string, string>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const userCode = await until('there is a code', () => lines[0]?.userCode);
  await proxy.command(['approve', userCode, '--user', 'anna']);
  await ended;
  const daemonId = lines[1]?.daemonId ?? '';
  const anna = await world.browser('anna');
  await until('it reports', async () => /Demo.*stopped/s.test((await anna.open(`/fleet/${daemonId}`)).text), {
    deadlineMs: 60_000,
  });
  await anna.post(`/fleet/${daemonId}/labels`, { labels: 'region=eu' });

  const credentials = /gks_[\w-]{43}/.exec((await anna.post('/fleet/prometheus', {})).text)?.[0] ?? '';
  const authorization = { type: 'Bearer', credentials };
  const ask = (method: string, route: string, token = credentials) =>
    requestJson(method, new URL(route, proxy.url), { headers: { authorization: `Bearer ${token}` } });
  const { query } = await runPrometheus(t, {
    authorization,
    http_sd_configs: [{ url: `${proxy.url}/api/fleet/prometheus-targets`, authorization, refresh_interval: '1s' }],
  });
  await until('it is scraped', async () => (await query('up == 1')).length === 1, {
    deadlineMs: 60_000,
  });
  const [found] = await query('gamekeeper_instance_up{instance="demo"}');
  t.match(found?.metric, { daemon: 'Attic', daemon_id: daemonId, label_region: 'eu', software: 'demo' });

  const foreign = await world.link('ben', 'Garage');
  t.equal((await ask('GET', `/d/${daemonId}/instances`)).status, 401);
  t.equal((await ask('POST', `/d/${daemonId}/metrics`)).status, 401);
  t.equal((await ask('GET', `/d/${daemonId}/metrics/../instances`)).status, 401);
  t.equal((await ask('GET', `/d/${foreign.daemonId}/metrics`)).status, 401);
  t.equal((await ask('GET', '/api/fleet')).status, 401);
  t.equal((await ask('GET', '/api/daemons')).status, 401);
  t.equal((await ask('GET', '/api/fleet/prometheus-targets', `gks_${'a'.repeat(43)}`)).status, 401);
  t.equal(
    (await fetch(`${proxy.url}/d/${daemonId}/metrics`, { headers: { authorization: `Bearer ${credentials}` } })).status,
    200,
  );

  const page = await anna.open('/fleet/prometheus');
  t.notMatch(page.text, /gks_/, 'shown only once');
  const id = /prometheus\/([0-9a-f-]+)\/remove/.exec(page.text)?.[1] ?? '';
  await (await world.browser('ben')).post(`/fleet/prometheus/${id}/remove`, {});
  t.equal((await ask('GET', '/api/fleet/prometheus-targets')).status, 200, 'another account cannot remove it');
  await anna.submit(page, '/remove');
  t.equal((await ask('GET', '/api/fleet/prometheus-targets')).status, 401);
  t.equal((await ask('GET', `/d/${daemonId}/metrics`)).status, 401);
});
