import type { Socket } from 'node:net';

/**
 * Reads from a socket as Java's `InputStream.read(buffer, 0, most)` does: waits until there is something, then answers
 * what is there, at most `most` bytes; undefined at the end. What arrives between two reads is read together.
 */
export function createReader(socket: Socket): (most: number) => Promise<Buffer | undefined> {
  let wake = (): void => {};
  for (const event of ['readable', 'end', 'close', 'error']) socket.on(event, () => wake());
  return async (most) => {
    while (socket.readableLength === 0) {
      if (socket.destroyed || socket.readableEnded) return undefined;
      // An empty read lets Node find out that the peer has ended.
      socket.read();
      if (socket.readableLength > 0) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return socket.read(Math.min(most, socket.readableLength)) ?? undefined;
  };
}
