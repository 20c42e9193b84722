import { MOST_READ_BYTES, TYPE } from '../protocol/constants.ts';
import { PacketReader } from '../protocol/packet-reader.ts';
import { versionReply } from '../protocol/replies.ts';
import type { Answer } from './answer.ts';

/**
 * Bytes of reads and writes of one session that are under way, including answers that wait for the client. All sessions have the same share, so
 * none can slow down the others much.
 */
const MOST_BYTES_UNDER_WAY = 2 * 1024 * 1024;
/** The least that a request counts as: one for a single byte is as much work. */
const LEAST_COUNTED_BYTES = 16 * 1024;

/** The part of the channel of ssh2 that is used. */
export interface ByteStream extends AsyncIterable<Buffer> {
  write(bytes: Buffer): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

export interface SessionOptions {
  answer: Answer;
  /** Called with each packet, to tell an idle session from one that works. */
  onPacket: () => void;
  /** Holds back what is sent until the returned function is called, so that it leaves together. */
  gather: () => () => void;
  signal: AbortSignal;
}

/**
 * Answers the packets of one client until it leaves. Reads and writes run at the same time, since clients send many at once; anything else waits
 * for what came before, as in OpenSSH's server. Throws for bytes that are no packets.
 */
export async function serveSession(
  stream: ByteStream,
  { answer, onPacket, gather, signal }: SessionOptions,
): Promise<void> {
  const reader = new PacketReader();
  const send = createSender(stream, gather, signal);
  const underWay = new Set<Promise<void>>();
  let bytesUnderWay = 0;
  let hasBegun = false;

  async function transfer(packet: Buffer): Promise<void> {
    while (bytesUnderWay >= MOST_BYTES_UNDER_WAY) await Promise.race(underWay);
    const bytes = Math.max(LEAST_COUNTED_BYTES, transferredBy(packet));
    bytesUnderWay += bytes;
    const work = answer(packet)
      .then(send)
      .finally(() => {
        bytesUnderWay -= bytes;
        underWay.delete(work);
      });
    underWay.add(work);
  }

  async function take(packet: Buffer): Promise<void> {
    onPacket();
    if (isTransfer(packet)) return transfer(packet);
    await Promise.all(underWay);
    const isFirst = packet[0] === TYPE.init;
    if (isFirst === hasBegun) throw new Error('the client begins twice, or not at all');
    hasBegun = true;
    await send(isFirst ? versionReply() : await answer(packet));
  }

  for await (const chunk of stream)
    for (const packet of reader.push(chunk)) {
      if (signal.aborted) return;
      await take(packet);
    }
  await Promise.all(underWay);
}

/** Resolves when the client can take more, or has gone. */
function createSender(
  stream: ByteStream,
  gather: SessionOptions['gather'],
  signal: AbortSignal,
): (bytes: Buffer) => Promise<void> {
  let full: Promise<void> | undefined;
  const drained = () =>
    new Promise<void>((resolve) => {
      stream.once('drain', resolve);
      stream.once('close', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  return async (bytes) => {
    if (signal.aborted) return;
    // ssh2 writes each packet of 32 KiB by itself.
    const release = gather();
    const isWelcome = stream.write(bytes);
    release();
    if (isWelcome) return;
    full ??= drained().then(() => {
      full = undefined;
    });
    await full;
  };
}

function isTransfer(packet: Buffer): boolean {
  return packet[0] === TYPE.read || packet[0] === TYPE.write;
}

/** What a read asks for is at the end of its packet. */
function transferredBy(packet: Buffer): number {
  if (packet[0] === TYPE.write || packet.length < 5) return packet.length;
  return Math.min(packet.readUInt32BE(packet.length - 4), MOST_READ_BYTES) + packet.length;
}
