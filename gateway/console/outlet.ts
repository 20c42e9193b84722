import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Frame } from './frame.ts';

/** Writes whole frames to the connection below a viewer's WebSocket. */
export interface Outlet {
  /** Bytes buffered in this process. */
  readonly waiting: number;
  /** Bytes handed to the operating system. */
  readonly sent: number;
  /** Writes a frame unless the socket is closing: nothing may follow a close frame (RFC 6455, section 5.5.1). */
  write(frame: Frame): void;
  /** Resolves when at most `bytes` are buffered, or the connection is closed. One call at a time. */
  until(bytes: number): Promise<void>;
}

export function createOutlet(socket: WebSocket, connection: Duplex, traffic: { sentBytes: number }): Outlet {
  let onProgress: () => void = () => undefined;
  let sent = 0;
  // Not `drain`, which comes only once the buffer is empty: by then the viewer has been idle.
  connection.once('close', () => onProgress());
  /** The frames of one turn of the event loop become one write: each costs the system several microseconds, whatever its size. */
  function gather(): void {
    if (connection.writableCorked > 0) return;
    connection.cork();
    process.nextTick(() => connection.uncork());
  }

  return {
    get waiting() {
      return connection.writableLength;
    },
    get sent() {
      return sent;
    },
    write(frame) {
      if (socket.readyState !== socket.OPEN || !connection.writable) return;
      traffic.sentBytes += frame.bytes.length;
      frame.hold();
      const { length } = frame.bytes;
      gather();
      connection.write(frame.bytes, () => {
        sent += length;
        frame.release();
        onProgress();
      });
    },
    until: (bytes) =>
      new Promise((resolve) => {
        onProgress = () => {
          if (connection.writableLength <= bytes || connection.destroyed) resolve();
        };
        onProgress();
      }),
  };
}
