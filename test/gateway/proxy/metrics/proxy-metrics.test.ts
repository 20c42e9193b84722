/** The metrics of a running proxy, read by Prometheus and promtool. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { echoDaemon } from '../../../support/link/echo-daemon.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { startPrometheus } from '../../../support/machine/prometheus.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { until } from '../../../support/machine/until.ts';
import { startPlayerProxy } from '../../../support/proxy/player-proxy.ts';

t.test('what happens at the proxy is counted, for its operator alone', async (t) => {
  if (!requireProgram(t, 'promtool', 'prometheus')) return;
  const port = await freePort();
  const { world, players } = await startPlayerProxy(t, { GAMEKEEPER_PROXY_METRICS_PORT: String(port) });
  const attic = await world.link('anna');
  const { link } = echoDaemon(t, { address: world.proxy.url, daemonId: attic.daemonId, token: () => attic.token() });
  await until('the daemon is connected', () => link.status.state === 'connected');
  const { access_token: token } = await world.tokens(await world.browser('anna'), [attic.daemonId]);
  const headers = { authorization: `Bearer ${token}` };
  for (let count = 0; count < 3; count++)
    await (await fetch(`${world.proxy.url}/d/${attic.daemonId}/health`, { headers })).text();
  await fetch(`${world.proxy.url}/nothing-${attic.daemonId}`);

  const stranger = connect(players, '127.0.0.1').resume();
  stranger.end('GET / HTTP/1.1\r\n\r\n');
  await once(stranger, 'close');

  t.equal((await fetch(`${world.proxy.url}/metrics`)).status, 404, 'not at the public address');
  t.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  t.equal(status, 0, stdout + stderr);
  t.notMatch(text, attic.daemonId, 'it names no computer');

  const prometheus = await startPrometheus(t, { target: `127.0.0.1:${port}`, labels: {} });
  const value = async (query: string) => Number((await prometheus.query(query))[0]?.value[1]);
  await until('Prometheus has it', async () => (await value('gamekeeper_proxy_links')) === 1);
  t.equal(await value('gamekeeper_proxy_ready'), 1);
  t.equal(await value('gamekeeper_proxy_database_up'), 1);
  t.equal(await value('sum(gamekeeper_proxy_requests_total{route=~"/d/.*",status="2xx"})'), 3);
  t.ok((await value('sum(gamekeeper_proxy_requests_total{route="none",status="4xx"})')) >= 1);
  t.equal(await value('gamekeeper_proxy_turned_away_total{reason="no-handshake"}'), 1);
  t.equal(await value('gamekeeper_proxy_players'), 0);
  t.ok((await value('sum(gamekeeper_proxy_request_seconds_count{route="/sign-in"})')) >= 1);
});
