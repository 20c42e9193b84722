/** Panels with two replicas on PostgreSQL: a session holds at both, and ends at both. */
import { once } from 'node:events';
import path from 'node:path';
import t from 'tap';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../support/proxy/linked-daemon.ts';
import { PANEL_DOMAIN, PanelVisitor, panelOrigin } from '../support/proxy/panel-visitor.ts';
import { twoReplicas } from '../support/proxy/two-replicas.ts';

t.test('a session and a code are the same at both replicas', async (t) => {
  const both = await twoReplicas(t, { GAMEKEEPER_PROXY_DAEMON_DOMAIN: PANEL_DOMAIN });
  if (!both) return;
  const { world, replicas } = both;
  const [, other] = replicas;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
  const daemonId = path.basename(await linkToProxy(t, gamekeeper, world));
  await untilConnected(gamekeeper);
  const browser = await world.browser('anna');
  const here = new PanelVisitor(panelOrigin(world, daemonId));

  const code = await here.code(browser);
  const copies = [here, here.at(other.address), here, here.at(other.address)];
  const answers = await Promise.all(copies.map((visitor) => visitor.open(code)));
  const entered = copies.filter((_, index) => answers[index]!.headers.location === '/ui/');
  t.equal(entered.length, 1, 'a code that is sent to both at once works once');

  const there = entered[0]!.at(other.address);
  await until(
    'the other replica reaches the daemon',
    async () => (await there.ask('GET', '/instances')).status === 200,
  );
  t.equal((await entered[0]!.at(world.proxy.url).ask('GET', '/instances')).status, 200);

  const console = there.socket('/ws/instances/demo/console');
  await once(console, 'open');
  const closed = once(console, 'close');
  const at = performance.now();
  await browser.post('/sign-out', {});
  await closed;
  t.comment(`${Math.round(performance.now() - at)} ms`);
  t.equal((await there.ask('GET', '/instances')).status, 401, 'signed out at one, ended at the other');
});
