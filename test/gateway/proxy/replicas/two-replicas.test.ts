/** Two replicas on PostgreSQL: a daemon that is linked to one is reached through both. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import t from 'tap';
import { WebSocket } from 'ws';
import { type EchoDaemon, echoDaemon } from '../../../support/link/echo-daemon.ts';
import { until } from '../../../support/machine/until.ts';
import { twoReplicas } from '../../../support/proxy/two-replicas.ts';

const MIB = 1024 ** 2;
const REVOKED_WITHIN_MS = 1_000;

const both = await twoReplicas(t);
if (both) {
  const { world, replicas } = both;
  const [first, second] = replicas;
  const browser = await world.browser('anna');
  const attic = await world.link('anna');
  const tokens = await world.tokens(browser, [attic.daemonId]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const base = (address: string) => `${address}/d/${attic.daemonId}`;
  const linkTo = (address: string) => echoDaemon(t, { address, daemonId: attic.daemonId, token: () => attic.token() });
  let daemon: EchoDaemon = linkTo(second.address);
  await daemon.connected();

  /** Resolves once both replicas reach the daemon. */
  const reached = () =>
    until('both replicas reach it', async () => {
      const answers = await Promise.all(replicas.map(({ address }) => fetch(`${base(address)}/health`, { headers })));
      return answers.every(({ status }) => status === 200);
    });

  t.test('requests, bodies and refusals pass from one replica to the other', async (t) => {
    await reached();
    for (const { address } of replicas) {
      const answer = await fetch(`${base(address)}/health`, { headers });
      t.equal(await answer.text(), attic.daemonId);
      t.notOk(answer.headers.get('gamekeeper-daemon'));
      const body = 'x'.repeat(3 * MIB);
      const echo = await fetch(`${base(address)}/echo`, { method: 'POST', headers, body });
      t.equal(await echo.text(), body);
      const head = await fetch(`${base(address)}/health`, { method: 'HEAD', headers });
      t.equal(head.status, 200);
    }
    const other = await world.link('anna', 'Basement');
    const { access_token: token } = await world.tokens(browser, [other.daemonId]);
    for (const { address } of replicas) {
      const offline = await fetch(`${address}/d/${other.daemonId}/health`, {
        headers: { authorization: `Bearer ${token}` },
      });
      t.match(await offline.json(), { status: 503, code: 'daemon_unavailable', detail: /not been connected yet/ });
    }
  });

  t.test('a download of many bytes waits for its reader, and nobody else does', async (t) => {
    const { port, hostname } = new URL(first.address);
    const slow = request({ port, hostname, path: `/d/${attic.daemonId}/bytes?n=${512 * MIB}`, headers }).end();
    const [response] = await once(slow, 'response');
    response.pause();
    const memoryBefore = memoryOf(first.proxy.pid) + memoryOf(second.proxy.pid);
    for (let n = 0; n < 20; n++) t.equal((await fetch(`${base(first.address)}/health`, { headers })).status, 200);
    const grown = memoryOf(first.proxy.pid) + memoryOf(second.proxy.pid) - memoryBefore;
    t.ok(grown < 64 * MIB, `${Math.round(grown / MIB)} MiB more`);
    slow.destroy();
    const all = await fetch(`${base(first.address)}/bytes?n=${64 * MIB}`, { headers });
    let bytes = 0;
    for await (const chunk of all.body ?? []) bytes += (chunk as Uint8Array).length;
    t.equal(bytes, 64 * MIB);
  });

  t.test('an upload that is cut off does not look complete to the daemon', async (t) => {
    const { port, hostname } = new URL(first.address);
    const path = `/d/${attic.daemonId}/echo`;
    const cut = request({ port, hostname, path, method: 'POST', headers: { ...headers, 'content-length': 10 * MIB } });
    cut.on('error', () => undefined);
    cut.write(Buffer.alloc(MIB));
    const [response] = await once(cut, 'response');
    const ended = new Promise((resolve) =>
      response.on('error', () => resolve('cut')).on('end', () => resolve('complete')),
    );
    response.resume();
    cut.destroy();
    t.equal(await ended, 'cut');
    t.equal((await fetch(`${base(first.address)}/health`, { headers })).status, 200);
    const streamed = await fetch(`${base(first.address)}/echo`, {
      method: 'POST',
      headers,
      body: Readable.from(chunks(200)) as never,
      duplex: 'half',
    } as RequestInit);
    t.equal((await streamed.arrayBuffer()).byteLength, 200 * 64 * 1024);
  });

  t.test('a console passes from one replica to the other; a grant that is revoked at one closes it', async (t) => {
    const console = new WebSocket(`${base(first.address).replace('http', 'ws')}/ws/console`, { headers });
    await once(console, 'open');
    console.send('hello');
    const [data] = await once(console, 'message');
    t.equal(String(data), 'hello');
    const closed = once(console, 'close');
    const revokedAt = performance.now();
    const revoked = await fetch(`${first.address}/oauth/revoke`, {
      method: 'POST',
      headers: { authorization: world.authorization },
      body: new URLSearchParams({ token: tokens.refresh_token ?? '' }),
    });
    t.equal(revoked.status, 200);
    await closed;
    const ms = Math.round(performance.now() - revokedAt);
    t.ok(ms < REVOKED_WITHIN_MS, `${ms} ms`);
    for (const { address } of replicas) t.equal((await fetch(`${base(address)}/health`, { headers })).status, 401);
    Object.assign(headers, {
      authorization: `Bearer ${(await world.tokens(browser, [attic.daemonId])).access_token}`,
    });
  });

  t.test('a daemon that moves to the other replica is found there, and its former link is closed', async (t) => {
    await reached();
    const former = daemon;
    daemon = linkTo(first.address);
    await daemon.connected();
    await until('the former link is closed', () => former.link.status.state === 'refused', {
      describe: () => former.link.status,
    });
    t.match(former.link.status.error, /same identity/);
    former.close();
    await reached();
    const before = daemon.requests;
    await reached();
    t.equal(daemon.requests, before + 2);
  });

  t.test('a daemon that is removed at one replica is disconnected from the other', async (t) => {
    await daemon.connected();
    const removed = await fetch(`${second.address}/api/daemons/${attic.daemonId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await attic.token()}` },
    });
    t.equal(removed.status, 204);
    const removedAt = performance.now();
    await until('it is disconnected', () => daemon.link.status.state === 'refused');
    t.ok(performance.now() - removedAt < REVOKED_WITHIN_MS);
    for (const { address } of replicas) t.equal((await fetch(`${base(address)}/health`, { headers })).status, 401);
    daemon.close();
  });
}

async function* chunks(count: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n++) yield Buffer.alloc(64 * 1024);
}

/** Bytes of resident memory. */
function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) * 1024;
}
