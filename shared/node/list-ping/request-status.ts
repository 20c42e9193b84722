import type { Duplex } from 'node:stream';
import { encodeHandshake, FrameReader, type HandshakeOf } from './frame-reader.ts';
import { ListPingError } from './list-ping-error.ts';
import { encodeFrame } from './packets.ts';

/** What a server answers to a server list ping. */
export interface StatusAnswer {
  /** The status as it came: a text of the protocol with JSON in it. */
  readonly body: Buffer;
  /** Round trip of the ping packet, or of the status request if the server does not answer pings, in milliseconds. */
  readonly latencyMs: number;
}

const STATUS = 0;
const PING = 1;
/** A status with the largest icon has about 30 KiB. */
const LONGEST_STATUS_BYTES = 256 * 1024;
/** Some servers close the connection instead of answering the ping packet, others do nothing. */
const PONG_PATIENCE_MS = 1_000;

/** Asks a Minecraft server (1.7 and later) over a connection that is open. The answer is untrusted. Throws the error that ended the connection. */
export async function requestStatus(connection: Duplex, handshake: HandshakeOf): Promise<StatusAnswer> {
  const reader = new FrameReader(connection, LONGEST_STATUS_BYTES);
  const sent = performance.now();
  connection.write(Buffer.concat([encodeHandshake(handshake), encodeFrame(STATUS)]));
  const { id, body } = await reader.next();
  const answeredMs = performance.now() - sent;
  if (id !== STATUS) throw new ListPingError('malformed', `its first packet has the number ${id}`);
  return { body, latencyMs: (await pong(connection, reader)) ?? answeredMs };
}

async function pong(connection: Duplex, reader: FrameReader): Promise<number | undefined> {
  const sent = performance.now();
  const impatience = setTimeout(() => connection.destroy(), PONG_PATIENCE_MS);
  try {
    connection.write(encodeFrame(PING, Buffer.alloc(8)));
    const { id } = await reader.next();
    return id === PING ? performance.now() - sent : undefined;
  } catch {
    return undefined; // the status is known anyway
  } finally {
    clearTimeout(impatience);
  }
}
