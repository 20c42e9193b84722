import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { ListPingError } from './list-ping-error.ts';
import type { PingTarget, ServerPing } from './ping-server.ts';

/** In every "offline message" of RakNet (minecraft.wiki, "RakNet"). */
const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex');
const UNCONNECTED_PING = 0x01;
const UNCONNECTED_PONG = 0x1c;
const CLIENT_ID = Buffer.alloc(8);
/** Offsets in a pong: packet id, time, server id, magic, length, text. */
const TIME_END = 9;
const MAGIC_AT = 17;
const LENGTH_AT = 33;
const TEXT_AT = 35;
/** Pings within the timeout, because a datagram may be lost. */
const ATTEMPTS = 3;
/** In UTF-16 units. */
const LONGEST_TEXT = 200;

/**
 * Asks a Bedrock server for its status with an unconnected ping of RakNet, over UDP. The answer is as untrusted as that of `pingServer`,
 * and contains no names. Throws ListPingError.
 */
export async function pingBedrockServer({ host, port, timeoutMs }: PingTarget): Promise<ServerPing> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<ServerPing>();
  // The pong repeats it, so only the receiver of this ping can answer.
  const time = randomBytes(8);
  const sent = performance.now();
  const fail = (cause: Error) =>
    reject(
      cause instanceof ListPingError
        ? cause
        : new ListPingError('refused', `Cannot connect to ${host}:${port}`, { cause }),
    );
  socket.on('error', fail);
  socket.on('message', (message) => {
    try {
      const pong = decodePong(message, time);
      if (pong) resolve({ ...pong, latencyMs: performance.now() - sent });
    } catch (error) {
      fail(error as Error);
    }
  });
  const ask = () => socket.send(Buffer.concat([Buffer.of(UNCONNECTED_PING), time, MAGIC, CLIENT_ID]));
  // Connected, so that datagrams of others are dropped and a closed port causes an error.
  socket.connect(port, host, ask);
  const again = setInterval(ask, timeoutMs / ATTEMPTS);
  const timer = setTimeout(
    () => fail(new ListPingError('timeout', `${host}:${port} did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    return await promise;
  } finally {
    clearInterval(again);
    clearTimeout(timer);
    socket.close();
  }
}

/** Returns `undefined` for anything but an answer to this ping. Throws ListPingError `malformed`. */
function decodePong(message: Buffer, time: Buffer): Omit<ServerPing, 'latencyMs'> | undefined {
  if (message[0] !== UNCONNECTED_PONG || message.length < TEXT_AT) return undefined;
  if (!message.subarray(1, TIME_END).equals(time)) return undefined;
  if (!message.subarray(MAGIC_AT, LENGTH_AT).equals(MAGIC)) return undefined;
  const text = message.toString('utf8', TEXT_AT, TEXT_AT + message.readUInt16BE(LENGTH_AT));
  // Edition; message; protocol; version; players; maximum of players; ... A semicolon in the message is escaped.
  const [, , protocol, version = '', online, max] = text.split(/(?<!\\);/);
  const counts = [Number(online), Number(max)].filter((count) => Number.isSafeInteger(count) && count >= 0);
  const [players, mostPlayers] = counts;
  if (online === undefined || players === undefined || mostPlayers === undefined)
    throw new ListPingError('malformed', 'its status has no player counts');
  return {
    version: version.slice(0, LONGEST_TEXT),
    protocol: Number.isSafeInteger(Number(protocol)) ? Number(protocol) : -1,
    online: players,
    max: mostPlayers,
    sample: [],
  };
}
