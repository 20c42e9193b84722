/** The process lives while its peers are killed in the middle of a transfer, which once ended it (nodejs/node issue 35384). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream';
import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { WebSocketDuplex } from '../../../../shared/node/link/web-socket-duplex.ts';
import { endless } from '../../../support/link/endless.ts';
import { until } from '../../../support/machine/until.ts';

const PEERS = path.join(import.meta.dirname, '../../../fixtures/link-peers.ts');
const COUNT = 400;
const ROUNDS = 3;
/** Of each peer on average, so that all are in the middle of a transfer. */
const MOVED_BYTES = 64 * 1024 * COUNT;

/** Serves WebSockets. `onOpen` starts the transfer of one, and returns nothing. */
async function serve(t: Test, onOpen: (duplex: WebSocketDuplex, moved: (bytes: number) => void) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const counts = { open: 0, bytes: 0 };
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket: WebSocket) => {
    counts.open++;
    socket.once('close', () => counts.open--);
    onOpen(new WebSocketDuplex(socket), (bytes) => {
      counts.bytes += bytes;
    });
  });
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, counts };
}

async function killInMidTransfer(
  t: Test,
  role: 'server' | 'client',
  { port, counts }: { port: number; counts: { open: number; bytes: number } },
): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    counts.bytes = 0;
    const peers = spawn(process.execPath, [PEERS, String(port), String(COUNT), role], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await until('all peers transfer', () => counts.open === COUNT && counts.bytes > MOVED_BYTES, {
      deadlineMs: 60_000,
      describe: () => counts,
    });
    peers.kill('SIGKILL');
    await once(peers, 'exit');
    await until('all links have ended', () => counts.open === 0, { describe: () => counts });
    t.pass(`round ${round}`);
  }
}

t.test('servers that send are killed', async (t) => {
  const served = await serve(t, (duplex, moved) => {
    const session = connect('http://link', { createConnection: () => duplex });
    session.on('error', () => undefined);
    const stream = session.request({ ':path': '/' });
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => moved(chunk.length));
  });
  await killInMidTransfer(t, 'server', served);
});

t.test('clients that read are killed', async (t) => {
  const served = await serve(t, (duplex, moved) => {
    const session = performServerHandshake(duplex);
    session.on('error', () => undefined);
    session.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200 });
      const source = endless();
      source.on('data', (chunk: Buffer) => moved(chunk.length));
      pipeline(source, stream, () => undefined);
    });
  });
  await killInMidTransfer(t, 'client', served);
});
