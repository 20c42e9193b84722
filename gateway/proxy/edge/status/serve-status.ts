import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { decodeFrame, encodeFrame } from '../../../../shared/node/list-ping/packets.ts';
import type { StatusAnswer } from '../../../../shared/node/list-ping/request-status.ts';

const LIFETIME_MS = 15_000;
const LONGEST_PACKET = 8192;
const STATUS = 0;
const PING = 1;
const PING_BYTES = 8;

/**
 * Answers a player who asks for the status in place of the server, from the handshake on. A ping waits as long as the server took for one, so that
 * players see the latency of the whole way. `onBytes` returns how long to wait before an answer, in milliseconds. Rejects if `ask` does.
 */
export async function serveStatus(
  socket: Socket,
  ask: () => Promise<StatusAnswer>,
  onBytes: (bytes: number) => number,
): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), LIFETIME_MS);
  socket.once('close', () => clearTimeout(timer));
  // Asked at once: the request follows the handshake.
  const answer = await ask();
  let unread: Buffer = Buffer.alloc(0);
  let isGreeted = false;
  let isTold = false;

  async function take(id: number, body: Buffer): Promise<void> {
    if (!isGreeted) {
      isGreeted = true;
    } else if (id === STATUS && body.length === 0 && !isTold) {
      // Only once: an answer is much longer than a request.
      isTold = true;
      const packet = encodeFrame(STATUS, answer.body);
      await atLeast(onBytes(packet.length));
      socket.write(packet);
    } else if (id === PING && body.length === PING_BYTES) {
      await atLeast(answer.latencyMs);
      socket.end(encodeFrame(PING, body));
    } else throw new RangeError('neither a request for the status nor a ping');
  }

  try {
    for await (const data of socket.iterator({ destroyOnReturn: false })) {
      unread = Buffer.concat([unread, data as Buffer]);
      for (let frame = decodeFrame(unread, LONGEST_PACKET); frame; frame = decodeFrame(unread, LONGEST_PACKET)) {
        unread = frame.rest;
        await take(frame.id, frame.body);
        if (socket.writableEnded) {
          socket.resume(); // Otherwise its end is not noticed.
          return;
        }
      }
    }
    socket.end();
  } catch {
    socket.destroy(); // Vanilla closes the connection as well.
  }
}

/** A timer of less than a millisecond would take a whole one. */
async function atLeast(ms: number): Promise<void> {
  if (ms >= 1) await delay(Math.round(ms));
}
