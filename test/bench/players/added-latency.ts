import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { handshake } from '../../support/machine/game-client.ts';
import { type BenchRow, inTurns, medianOf, ratioRow } from '../row.ts';
import { HOST, type RelayedGame } from './relayed-game.ts';

const PLAYERS = 100;
const PACKET = Buffer.alloc(64, 3);
/** A tick of the game. */
const EVERY_MS = 50;
const TICKS = 40;
const MOST_MS = 1;

/** T2: how much later packets of 100 players return through the proxy, each 20 times a second. */
export async function addedLatency({ players, direct }: RelayedGame): Promise<BenchRow> {
  return ratioRow({
    id: 'T2',
    what: `a packet and its answer through the proxy, ${PLAYERS} players, p50`,
    unit: 'ms',
    comparedWith: 'the same direct',
    turns: await inTurns(
      async () => medianOf(await play(direct)),
      async () => medianOf(await play(players)),
    ),
    goal: { moreAtMost: MOST_MS },
  });
}

/** Resolves to the times of all packets, in milliseconds. */
async function play(port: number): Promise<number[]> {
  const sockets = await Promise.all(Array.from({ length: PLAYERS }, () => join(port)));
  const times: number[] = [];
  await Promise.all(
    sockets.map(async (socket, number) => {
      await delay((number * EVERY_MS) / PLAYERS); // Not all at once.
      for (let tick = 0; tick < TICKS; tick++) {
        const sentAt = performance.now();
        socket.write(PACKET);
        await once(socket, 'data');
        times.push(performance.now() - sentAt);
        await delay(EVERY_MS);
      }
    }),
  );
  for (const socket of sockets) socket.destroy();
  return times;
}

async function join(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write(handshake(2, HOST));
  await once(socket, 'connect');
  // The first answer shows that the way is open.
  await delay(EVERY_MS);
  socket.write(PACKET);
  const lost = once(socket, 'close').then(() => {
    throw new Error('A player was disconnected.');
  });
  await Promise.race([once(socket, 'data'), lost]);
  lost.catch(() => undefined); // At the end.
  return socket;
}
