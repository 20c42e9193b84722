/** The local socket of the command line: what answers there is built for its first connection. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { servePrivately } from '../../../gateway/listeners/private-socket.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { holdCommands } from '../../support/stand-ins/hold-commands.ts';

/** More than a socket keeps unread. */
const MUCH = 900_000;

async function serving(t: Test) {
  const world = await build(t);
  const socketPath = homeAt(world.home).gatewaySocket;
  const stop = await servePrivately(world.gateway, socketPath);
  t.teardown(stop);
  return { ...world, socketPath, stop };
}

t.test('everything that arrives at once, before there is an answer, is answered', async (t) => {
  const { socketPath } = await serving(t);
  const ask = async (line: string, body = '') => {
    const socket = connect(socketPath);
    const headers = [
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write([`${line} HTTP/1.1`, ...headers, '', body].join('\r\n'));
    return (await text(socket)).split('\r\n')[0];
  };
  const hasty = connect(socketPath);
  hasty.write('GET / HTTP/1.1', () => hasty.destroy());
  const command = JSON.stringify({ command: 'list', unknown: 'x'.repeat(MUCH) });
  t.same(
    await Promise.all([
      ask('GET /health'),
      ask('GET /api/v1/instances'),
      ask('GET /nothing'),
      ask('POST /instances/demo/commands', command),
    ]),
    ['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'HTTP/1.1 404 Not Found', 'HTTP/1.1 400 Bad Request'],
  );
});

t.test('the first connection may be a console', async (t) => {
  const { socketPath, gateway } = await serving(t);
  const socket = new WebSocket('ws://localhost/ws/instances/demo/console', {
    createConnection: () => connect(socketPath),
  });
  await once(socket, 'open');
  t.equal(gateway.sockets.total, 1);
  socket.close();
  await once(socket, 'close');
});

t.test('it ends idle connections at once, and the others after their answer', async (t) => {
  const { socketPath, stop, supervisor } = await serving(t);
  const held = holdCommands(supervisor);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const idle = request({ socketPath, path: '/health', agent }).end();
  const [answer] = (await once(idle, 'response')) as [IncomingMessage];
  await text(answer);
  const asked = request({
    socketPath,
    agent: false,
    path: '/instances/demo/commands',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  }).end('{"command":"list"}');
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  await held.arrived;

  const ended = once(idle.socket!, 'close');
  const stopped = stop();
  await ended;
  await t.rejects(once(connect(socketPath), 'connect'), 'accepts nothing more');
  held.release();
  const [last] = await answered;
  t.equal(last.statusCode, 200);
  last.resume();
  await stopped;
  t.notOk(existsSync(socketPath));
});

t.test('it may end before anyone has connected', async (t) => {
  const { socketPath, stop } = await serving(t);
  await stop();
  t.notOk(existsSync(socketPath));
});
