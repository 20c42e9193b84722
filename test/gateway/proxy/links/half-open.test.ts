/** A network that swallows everything without closing a connection: who notices it, and what becomes of the requests. */
import t, { type Test } from 'tap';
import { createDaemonKey, linkToken } from '../../../support/link/daemon-key.ts';
import { echoDaemon } from '../../../support/link/echo-daemon.ts';
import { startRelayServer } from '../../../support/link/relay-server.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { startStallingRelay } from '../../../support/machine/stalling-relay.ts';
import { until } from '../../../support/machine/until.ts';
import { testProxy } from '../../../support/stand-ins/test-proxy.ts';

/** In the proportion of the 25 s, 10 s and 60 s of docs/decisions/0012-links-to-the-proxy.md. */
const TIMING = { delayShare: 0, pingEveryMs: 500, answerWithinMs: 200 };
const SILENT_MS = 1_200;
/** The former link gets 2 s to answer that it is closed; a busy computer takes longer. */
const ENDS_WITHIN_MS = 15_000;

/** A daemon that reaches the proxy over a network which can be cut. */
async function cutWorld(t: Test, { timing = TIMING, silentMs = 60_000 } = {}) {
  const proxy = await testProxy(t);
  const key = await createDaemonKey();
  const { daemonId, publicKey } = key;
  const [port, dialled] = [await freePort(), await freePort()];
  const relay = await startRelayServer({
    port,
    keys: proxy.keys,
    daemons: [{ daemonId, publicKey, accountId: 'account-1', name: 'Home PC' }],
    silentMs,
  });
  t.teardown(() => relay.close());
  const network = await startStallingRelay(t, { to: port, port: dialled });
  const { issuer } = relay;
  const address = `http://127.0.0.1:${dialled}`;
  const daemon = echoDaemon(t, { address, daemonId, token: () => linkToken(key, issuer), timing });
  await daemon.connected();
  const claims = { iss: issuer, aud: `urn:uuid:${daemonId}`, grant_id: 'grant-1' };
  const headers = { authorization: `Bearer ${await proxy.token({ scopes: ['servers:read'], claims })}` };
  const ask = async (path: string) => {
    const answer = await fetch(`${issuer}/d/${daemonId}${path}`, { headers });
    return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') };
  };
  await until('the proxy reaches it', async () => (await ask('/health')).status === 200);
  return { relay, network, daemon, ask };
}

t.test('the daemon notices it and comes back; what waited for the lost link fails as such', async (t) => {
  const { network, daemon, ask } = await cutWorld(t);
  const waiting = [ask('/held'), ask('/held')];
  await until('the daemon has them', () => daemon.requests >= 3);
  const cutAt = performance.now();
  network.stall();
  const answers = await Promise.all([...waiting, ask('/health')]);
  const ms = Math.round(performance.now() - cutAt);
  for (const answer of answers) t.match(answer, { status: 503, text: /daemon_unavailable/ });
  t.ok(ms < ENDS_WITHIN_MS, `${ms} ms`);
  t.match(await ask('/health'), { status: 200 }, 'over the new link');
});

t.test('a daemon that does not come back is offline after a minute of silence', async (t) => {
  const { relay, network, daemon, ask } = await cutWorld(t, { silentMs: SILENT_MS });
  const waiting = ask('/held');
  await until('the daemon has it', () => daemon.requests >= 2);
  network.stall({ alsoNew: true });
  t.match(await waiting, { status: 503, text: /daemon_unavailable/ });
  await until('it is offline', () => relay.links.count === 0);
  t.match(await ask('/health'), { status: 503, text: /daemon_unavailable/ });
  await until('the daemon says so', () => daemon.link.status.state !== 'connected');
  network.resume();
  await until('it is back', async () => (await ask('/health')).status === 200, { describe: () => daemon.link.status });
});
