/** What happens when a replica, or PostgreSQL, fails: real processes, signals and HAProxy. docs/proxy.md has the table. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { WebSocket } from 'ws';
import { openDatabase } from '../../../../gateway/proxy/store/database.ts';
import { echoDaemon } from '../../../support/link/echo-daemon.ts';
import { until } from '../../../support/machine/until.ts';
import { startHaproxy } from '../../../support/proxy/haproxy.ts';
import { PASSWORD } from '../../../support/proxy/proxy-process.ts';
import { type Replica, twoReplicas } from '../../../support/proxy/two-replicas.ts';

/** HAProxy takes up to 8 s to leave out a replica that hangs. */
const RECOVERS_WITHIN_MS = 60_000;
const DOWNLOAD_BYTES = 128 * 1024 ** 2;
/** Another replica gets 2 s for its answer, and is pinged every 5 s. More, for a busy computer. */
const SOON_MS = 5_000;
const CUT_ENDS_WITHIN_MS = 15_000;
/** The proxy allows an account 50 requests per second. */
const ASK_EVERY_MS = 50;

const both = await twoReplicas(t);
const entrance =
  both &&
  (await startHaproxy(
    t,
    both.replicas.map(({ address }) => address),
  ));
if (both && entrance) {
  const { world, replicas, postgres, between } = both;
  const attic = await world.link('anna');
  const tokens = await world.tokens(await world.browser('anna'), [attic.daemonId]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const daemon = echoDaemon(t, {
    address: entrance,
    daemonId: attic.daemonId,
    token: () => attic.token(),
    // A stopped replica is noticed sooner than in 35 s, and a busy computer is not taken for one.
    timing: { delayShare: 0.01, pingEveryMs: 1_000, answerWithinMs: 5_000 },
  });
  const ask = (address: string, path = '/health') => fetch(`${address}/d/${attic.daemonId}${path}`, { headers });
  const reaches = async (address: string) => {
    const answer = await ask(address);
    await answer.text();
    return answer.status === 200;
  };
  const recovered = (address: string) =>
    until('the daemon is reached', () => reaches(address).catch(() => false), {
      deadlineMs: RECOVERS_WITHIN_MS,
      describe: () => [daemon.link.status, ...replicas.map(({ proxy }) => proxy.output().slice(-2_000))],
    });
  /** Resolves to the replica that holds the link, and the other one. */
  async function places(): Promise<[holder: Replica, other: Replica]> {
    for (const { address } of replicas) await recovered(address);
    const holderUrl = await holderOf(attic.daemonId);
    const holder = replicas.find(({ proxy }) => proxy.output().includes(holderUrl));
    const other = replicas.find((one) => one !== holder);
    if (!holder || !other) throw new Error(`Nobody listens on ${holderUrl}`);
    return [holder, other];
  }

  t.test('SIGKILL: 503 with Retry-After at the other one, and the daemon comes back there', async (t) => {
    const [holder, other] = await places();
    await holder.proxy.end('SIGKILL');
    const answer = await ask(other.address);
    t.match(await answer.json(), { status: 503 });
    t.ok(Number(answer.headers.get('retry-after')) > 0);
    await recovered(entrance);
    t.ok(await reaches(other.address));
    await holder.proxy.start();
    await recovered(holder.address);
  });

  t.test('SIGSTOP: 503 within seconds, and the daemon comes back at the other one', async (t) => {
    const [holder, other] = await places();
    process.kill(holder.proxy.pid, 'SIGSTOP');
    const answer = await ask(other.address);
    t.match(await answer.json(), { status: 503, code: 'proxy_unavailable' });
    t.equal(answer.headers.get('retry-after'), '2');
    await recovered(entrance);
    t.ok(await reaches(other.address));
    process.kill(holder.proxy.pid, 'SIGCONT');
    await recovered(holder.address);
    t.equal(daemon.link.status.state, 'connected', 'what the stopped one has missed does no harm');
  });

  t.test(
    'replicas that cannot reach each other: 503 within seconds, and nothing but requests between them ends',
    async (t) => {
      const [holder, other] = await places();
      const console = new WebSocket(`${other.address.replace('http', 'ws')}/d/${attic.daemonId}/ws`, { headers });
      await once(console, 'open');
      const held = ask(other.address, '/held');
      const before = daemon.link.status.since;
      await until('the daemon has the request', () => daemon.requests > 0);
      const cutAt = performance.now();
      between.cut();
      const answer = await ask(other.address);
      t.match(await answer.json(), { status: 503, code: 'proxy_unavailable' });
      t.equal(answer.headers.get('retry-after'), '2');
      t.ok(performance.now() - cutAt < SOON_MS, `${Math.round(performance.now() - cutAt)} ms`);
      t.ok(await reaches(holder.address), 'the replica with the link goes on');
      const closed = console.readyState === console.CLOSED ? undefined : once(console, 'close');
      t.match(await (await held).json(), { status: 503 });
      await closed;
      t.ok(performance.now() - cutAt < CUT_ENDS_WITHIN_MS, `${Math.round(performance.now() - cutAt)} ms`);
      const again = await ask(other.address);
      t.match(
        await again.json(),
        { status: 503, code: 'proxy_unavailable' },
        'a new connection does not get through either',
      );
      between.mend();
      await recovered(other.address);
      t.equal(daemon.link.status.since, before, 'the link has stayed');
    },
  );

  t.test('PostgreSQL away: what is at work goes on, the rest is 503, and nobody dies', async (t) => {
    const [holder, other] = await places();
    const console = new WebSocket(`${other.address.replace('http', 'ws')}/d/${attic.daemonId}/ws`, { headers });
    await once(console, 'open');
    await postgres.stop();
    for (const { address } of replicas) t.ok(await reaches(address), 'a token that was accepted before');
    console.send('hello');
    t.equal(String((await once(console, 'message'))[0]), 'hello');
    const signIn = await fetch(`${holder.address}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'anna', password: PASSWORD }),
      redirect: 'manual',
    });
    t.equal(signIn.status, 503);
    const refresh = await fetch(`${holder.address}/oauth/token`, {
      method: 'POST',
      headers: { authorization: world.authorization },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }),
    });
    t.equal(refresh.status, 503, 'the refresh token stays good');
    t.equal(refresh.headers.get('retry-after'), '5');
    t.match(await refusalOf(`${entrance}/link/${attic.daemonId}`, await attic.token()), {
      status: 503,
      retryAfter: '5',
    });
    const readiness = () => Promise.all(replicas.map(async ({ address }) => (await fetch(`${address}/readyz`)).status));
    await until('both are unready', async () => (await readiness()).every((status) => status === 503));
    await until('HAProxy has noticed', () => reaches(entrance));
    t.ok(await reaches(entrance), 'HAProxy falls back to those that live');
    await postgres.start();
    await until('both are ready', async () => (await readiness()).every((status) => status === 200));
    t.equal(console.readyState, console.OPEN);
    console.terminate();
    for (const { proxy } of replicas) t.doesNotThrow(() => process.kill(proxy.pid, 0));
    await world.browser('anna');
    for (const { address } of replicas) t.ok(await reaches(address), 'the grant is still there');
  });

  t.test('SIGTERM: the daemon moves first, and nobody notices', async (t) => {
    const [holder, other] = await places();
    const { port, hostname } = new URL(entrance);
    const download = request({ port, hostname, path: `/d/${attic.daemonId}/bytes?n=${DOWNLOAD_BYTES}`, headers }).end();
    const [response] = await once(download, 'response');
    response.pause();
    const exit = holder.proxy.end('SIGTERM');
    const isReady = async () => (await fetch(`${holder.address}/readyz`)).status === 200;
    await until('it is unready, but still there', async () => !(await isReady()));
    const failures: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const answer = await ask(entrance);
        const text = await answer.text();
        if (answer.status !== 200) failures.push(text);
        await delay(ASK_EVERY_MS);
      }
    })();
    await until('the daemon has moved', async () => other.proxy.output().includes(await holderOf(attic.daemonId)));
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    t.equal(bytes, DOWNLOAD_BYTES, 'a download over the former link ends as if nothing had happened');
    t.equal(await exit, 0);
    isOver = true;
    await asking;
    t.same(failures, []);
    await holder.proxy.start();
  });

  /** Resolves to the peer address of the replica that holds a daemon's link. */
  async function holderOf(daemonId: string): Promise<string> {
    const database = await openDatabase({ file: '', url: both?.databaseUrl, onError: () => undefined });
    try {
      const { url } = await database
        .selectFrom('link')
        .innerJoin('replica', 'replica.id', 'link.replica_id')
        .select('url')
        .where('daemon_id', '=', daemonId)
        .executeTakeFirstOrThrow();
      return url;
    } finally {
      await database.destroy();
    }
  }
}

/** Resolves to the answer to a daemon that may not open a link. */
function refusalOf(url: string, token: string): Promise<{ status: number | undefined; retryAfter: unknown }> {
  const socket = new WebSocket(url.replace('http', 'ws'), 'gamekeeper-link.1', {
    headers: { authorization: `Bearer ${token}` },
  });
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ status: 101, retryAfter: undefined }));
    socket.once('unexpected-response', (_request, { statusCode, headers }) =>
      resolve({ status: statusCode, retryAfter: headers['retry-after'] }),
    );
  });
}
