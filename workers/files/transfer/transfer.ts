import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { requirePrivateFolder } from '../../../shared/node/ipc/socket-folder.ts';
import { SocketSink } from '../../../shared/node/ipc/socket-sink.ts';
import { takeSpace } from '../folder/disk-reserve.ts';
import { firstToMask, LONGEST_LINE } from '../masking/mask-lines.ts';
import { BORROWED } from './borrowed-descriptor.ts';

/** Large reads, since each costs a turn of the event loop. */
const READ_BYTES = 1024 * 1024;
/** Masking takes time in the event loop. */
const MASKED_BYTES = 64 * 1024;

/** A part of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Sends part of an open file to a local socket, as fast as the reader takes it, unless that is too slow (SLOWEST_PACE). With `filter`, the part goes through it with what is around it
 * (firstToMask).
 */
export async function sendFile(
  descriptor: number,
  { range, socket: path, filter }: { range: ByteRange; socket: string; filter?: Transform | undefined },
  signal: AbortSignal,
): Promise<void> {
  const sink = await SocketSink.connect(path);
  if (range.end < range.start) return void sink.end();
  const { start, end } = range;
  const part = filter ? { start: firstToMask(start), end: end + LONGEST_LINE } : { start, end };
  const options = { ...BORROWED, fd: descriptor, ...part, highWaterMark: filter ? MASKED_BYTES : READ_BYTES };
  const source = createReadStream('', options);
  if (filter) await pipeline(source, filter, sink, { signal });
  else await pipeline(source, sink, { signal });
  // The reader was promised this many bytes: an error ends its connection.
  if (source.bytesRead < end + 1 - part.start) throw new Error('The file became shorter while it was read');
}

/**
 * Writes all that comes from a local socket to an open file, from `start`, and no more than `most` bytes. `folder` is on the same disk. Resolves
 * to the number of bytes. Throws `body_too_large` and `insufficient_storage`.
 */
export async function receiveFile(
  descriptor: number,
  { socket: path, folder, start = 0, most = Number.POSITIVE_INFINITY }: Receiving,
  signal: AbortSignal,
): Promise<number> {
  const socket = await open(path, signal);
  const target = createWriteStream('', { ...BORROWED, fd: descriptor, highWaterMark: READ_BYTES, start });
  await pipeline(
    socket,
    async function* watched(chunks: AsyncIterable<Buffer>) {
      let received = 0;
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > most) throw new GamekeeperError('body_too_large', 'More bytes arrived than were announced.');
        using _space = await takeSpace(folder, chunk.length);
        yield chunk;
      }
    },
    target,
    { signal },
  );
  return target.bytesWritten;
}

interface Receiving {
  socket: string;
  folder: string;
  start?: number;
  most?: number;
}

/** The folder of the socket is private, so only the gateway can listen there. */
async function open(path: string, signal: AbortSignal): Promise<Socket> {
  await requirePrivateFolder(path);
  const socket = connect(path);
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
