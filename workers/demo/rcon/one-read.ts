import type { Socket } from 'node:net';

/**
 * Reads from a socket like Java's `InputStream.read(buffer, 0, most)`: waits for data, then returns what is there, at most `most` bytes;
 * undefined at the end. Data that arrives between two reads is read together.
 */
export function createReader(socket: Socket): (most: number) => Promise<Buffer | undefined> {
  let wake = (): void => {};
  for (const event of ['readable', 'end', 'close', 'error']) socket.on(event, () => wake());
  return async (most) => {
    while (socket.readableLength === 0) {
      if (socket.destroyed || socket.readableEnded) return undefined;
      // An empty read makes Node.js notice the end of the stream.
      socket.read();
      if (socket.readableLength > 0) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return socket.read(Math.min(most, socket.readableLength)) ?? undefined;
  };
}
