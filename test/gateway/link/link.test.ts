import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { WebSocket, WebSocketServer } from 'ws';
import { createLink } from '../../../gateway/link/link.ts';
import { reconnectDelay } from '../../../gateway/link/reconnect-delay.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { LatestValue } from '../../../shared/node/primitives/latest-value.ts';
import { createDaemonKey, type DaemonKey, linkToken } from '../../support/link/daemon-key.ts';
import { linkedWorld } from '../../support/link/linked-world.ts';
import { startRelayProcess } from '../../support/link/relay-process.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';

const WEB_SOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'; // RFC 6455, section 1.3
/** Shorter than a link waits for its answers. */
const UNREAD_MS = 500;
const log = createLogger({ name: 'gateway', level: 'silent' });

interface LinkToOptions {
  /** Signs the tokens. Absent: for a proxy that does not check them. */
  key?: DaemonKey;
  timing?: { pingEveryMs: number; answerWithinMs: number };
}

/** Opens a link that serves nothing, without waiting between attempts. */
function linkTo(issuer: string, { key, timing }: LinkToOptions = {}) {
  return createLink({
    credentials: {
      watchLink: (signal) => new LatestValue({ issuer, daemonId: key?.daemonId ?? 'some' }).follow(signal),
      linkToken: async () => (key ? linkToken(key, issuer) : 'token'),
    },
    serve: () => undefined,
    onTokenNotice: () => undefined,
    onAnswer: () => undefined,
    log,
    timing: { delayShare: 0, ...timing },
  });
}

/** The head of a request over a link. */
function healthAt(issuer: string) {
  return { ':method': 'GET', ':path': '/health', ':authority': new URL(issuer).host, ':scheme': 'http' };
}

t.test('the link follows the pairing', async (t) => {
  const { link, target, relay, connected, key } = await linkedWorld(t);
  t.match(link.status, { state: 'connected', since: /^2/ });
  await until('the latency is known', () => link.status.latencyMs !== undefined);
  target.set(null);
  await until('the link is closed', () => relay.links.count === 0);
  t.match(link.status, { state: 'off' });
  target.set({ issuer: relay.issuer, daemonId: key.daemonId });
  await connected();
});

t.test('the owner sees why the proxy refuses, and there is no second attempt', async (t) => {
  const { link, relay, daemonId, key, target, connected } = await linkedWorld(t);
  relay.daemons.delete(daemonId);
  relay.links.disconnect(daemonId);
  await until('the removal is shown', () => link.status.state === 'refused');
  await until('the second attempt is refused', () => link.status.error?.includes('not linked'));
  t.equal(link.status.state, 'refused');
  relay.daemons.set(daemonId, { daemonId, accountId: 'account-1', name: 'PC', publicKey: key.publicKey });
  target.set({ issuer: relay.issuer, daemonId });
  await connected(); // It was linked again.

  let attempts = 0;
  const refusing = createServer((_request, response) => {
    attempts++;
    response.writeHead(401, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ detail: 'This daemon is \u001b[31mnot linked.' }));
  });
  const port = await freePort();
  refusing.listen(port, '127.0.0.1');
  const other = linkTo(`http://127.0.0.1:${port}`);
  t.teardown(() => {
    other.close();
    refusing.close();
  });
  await until('the refusal is shown', () => other.status.state === 'refused');
  t.match(other.status, { error: 'This daemon is  [31mnot linked.' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.equal(attempts, 1);
});

t.test('requests that are on their way as a link closes are served', async (t) => {
  const { target, relay, daemonId } = await linkedWorld(t);
  const held = relay.links.find(daemonId)!;
  target.set(null);
  const stream = held.request(healthAt(relay.issuer), { endStream: true });
  t.match(JSON.parse(await text(stream)), { status: 'ok' });
  t.notOk(held.isOpen, 'the next one goes elsewhere');
  await until('the link has ended', () => relay.links.count === 0);
});

t.test('a proxy that is away, or asks for patience, is tried again', async (t) => {
  const port = await freePort();
  const link = linkTo(`http://127.0.0.1:${port}`);
  t.teardown(() => link.close());
  await until('the failure is shown', () => link.status.error !== undefined);
  t.match(link.status, { state: 'connecting', error: /cannot be reached \(ECONNREFUSED\)/ });
  const times: number[] = [];
  const busy = createServer((_request, response) => {
    times.push(performance.now());
    response.writeHead(503, { 'retry-after': '1' });
    response.end('busy');
  }).listen(port, '127.0.0.1');
  t.teardown(() => busy.close());
  await until('it is tried three times', () => times.length >= 3);
  t.ok(times[2]! - times[1]! >= 990, 'Retry-After is honoured');
  t.match(link.status, { state: 'connecting', error: 'The proxy answered with status 503.' });
});

t.test('a daemon that is registered with another key returns at once', async (t) => {
  const { relay, daemonId, connected } = await linkedWorld(t);
  const former = relay.links.find(daemonId);
  relay.links.disconnect(daemonId);
  await until('another link is open', () => relay.links.count === 1 && relay.links.find(daemonId) !== former);
  await connected();
});

t.test('a revoked grant closes its consoles and event streams within a second, and others stay open', async (t) => {
  const { relay, daemonId, base, bearer } = await linkedWorld(t);
  const open = async (grantId: string) => {
    const headers = await bearer(['logs:read', 'servers:read'], { grant_id: grantId });
    const console = new WebSocket(`${base.replace('http', 'ws')}/ws/instances/demo/console`, { headers });
    t.teardown(() => console.terminate());
    await once(console, 'open');
    const client = new AbortController();
    t.teardown(() => client.abort());
    const events = await fetch(`${base}/events`, { headers, signal: client.signal });
    let ended = false;
    events.text().then(
      () => {
        ended = true;
      },
      () => undefined,
    );
    return { headers, console, ended: () => ended };
  };
  const [revoked, other] = [await open('grant-1'), await open('grant-2')];
  relay.links.tell(daemonId, { type: 'grant-revoked', grantId: 'grant-1' });
  await until('both are closed', () => revoked.console.readyState === WebSocket.CLOSED && revoked.ended(), {
    deadlineMs: 1_000,
  });
  t.equal((await fetch(`${base}/instances`, { headers: revoked.headers })).status, 401);
  t.equal(other.console.readyState, WebSocket.OPEN);
  t.notOk(other.ended());
});

t.test('a link opens at the next proxy before it closes at one that restarts', async (t) => {
  const { relay, link, daemonId, base, bearer } = await linkedWorld(t);
  const former = relay.links.find(daemonId);
  const headers = await bearer(['servers:read']);
  const client = new AbortController();
  t.teardown(() => client.abort());
  t.equal((await fetch(`${base}/events`, { headers, signal: client.signal })).status, 200);
  relay.links.tell(daemonId, { type: 'reconnect', withinMs: 0 });
  await until('another link is open', () => relay.links.find(daemonId) !== former && relay.links.count === 1);
  t.equal(link.status.state, 'connected');
  t.equal((await fetch(`${base}/instances`, { headers })).status, 200);
});

t.test('an answer that the proxy has not read yet outlives its link', async (t) => {
  const { relay, target, daemonId } = await linkedWorld(t);
  const former = relay.links.find(daemonId)!;
  const answer = former.request(healthAt(relay.issuer), { endStream: true }).pause();
  await once(answer, 'response');
  target.set(null);
  await until('the daemon takes no more requests over it', () => !former.isOpen);
  await Promise.race([once(answer, 'close'), delay(UNREAD_MS)]);
  t.match(JSON.parse(await text(answer.pipe(new PassThrough()))), { status: 'ok' });
  await until('the link is closed', () => relay.links.count === 0);
});

t.test('a proxy that always asks for another link gets one per second', async (t) => {
  const port = await freePort();
  const proxy = new WebSocketServer({ host: '127.0.0.1', port });
  const times: number[] = [];
  proxy.on('connection', (socket) => {
    times.push(performance.now());
    // With the answer to the handshake, in one packet.
    socket.send(JSON.stringify({ type: 'reconnect', withinMs: 0 }));
  });
  const link = linkTo(`http://127.0.0.1:${port}`);
  t.teardown(() => {
    link.close();
    for (const socket of proxy.clients) socket.terminate();
    proxy.close();
  });
  await until('it has connected three times', () => times.length >= 3);
  t.ok(times[2]! - times[1]! >= 950, `${times[2]! - times[1]!} ms`);
});

t.test('a request for another link is heard in the packet that opens the link', async (t) => {
  const text = Buffer.from(JSON.stringify({ type: 'reconnect', withinMs: 0 }));
  let links = 0;
  const proxy = createServer().on('upgrade', (request, socket) => {
    links++;
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${WEB_SOCKET_GUID}`)
      .digest('base64');
    const head = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Sec-WebSocket-Accept: ${accept}`,
      `Sec-WebSocket-Protocol: ${request.headers['sec-websocket-protocol']}`,
    ];
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.of(0x81, text.length), text]));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => proxy.close());
  const issuer = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const link = linkTo(issuer);
  t.teardown(() => link.close());
  await until('it has connected again', () => links >= 2);
});

t.test('a link whose other end is silent is given up, and opened again', async (t) => {
  const key = await createDaemonKey();
  const relay = await startRelayProcess(t, {
    port: await freePort(),
    keys: [],
    daemons: [{ daemonId: key.daemonId, accountId: 'account-1', name: 'PC', publicKey: key.publicKey }],
  });
  const link = linkTo(relay.issuer, { key, timing: { pingEveryMs: 50, answerWithinMs: 500 } });
  t.teardown(() => link.close());
  await until('the link is open', () => link.status.state === 'connected');
  relay.signal('SIGSTOP');
  await until('the silence is noticed', () => link.status.state === 'connecting');
  relay.signal('SIGCONT');
  await until('the link is open again', () => link.status.state === 'connected');
});

t.test('waits spread over 30 seconds, then over a minute', (t) => {
  const none = { retryAfterMs: 0 };
  t.equal(reconnectDelay(0, { random: 0, ...none }), 0);
  t.equal(reconnectDelay(0, { random: 0.999_999, ...none }), 30_000);
  t.equal(reconnectDelay(1, { random: 0.999_999, ...none }), 60_000);
  t.equal(reconnectDelay(50, { random: 0.5, ...none }), 30_000);
  t.equal(reconnectDelay(3, { random: 0, retryAfterMs: 5_000 }), 5_000);
  t.equal(reconnectDelay(0, { random: 0, retryAfterMs: 30 * 86_400_000 }), 3_600_000, 'timers have 31 bits');
  t.end();
});
