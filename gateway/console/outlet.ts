import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Frame } from './frame.ts';

/** The way to one viewer: whole frames, written to the connection below the WebSocket as they are. */
export interface Outlet {
  /** Bytes that wait in this process. */
  readonly waiting: number;
  /** Bytes that the system has taken: it takes no more than it gets rid of, but for what its buffers hold. */
  readonly sent: number;
  /** Writes a frame, unless the socket is closing: nothing may follow a close frame (RFC 6455, section 5.5.1). */
  write(frame: Frame): void;
  /** Resolves when no more than `bytes` wait, or the connection is gone. One at a time. */
  until(bytes: number): Promise<void>;
}

/** `traffic` counts what is written. */
export function createOutlet(socket: WebSocket, connection: Duplex, traffic: { sentBytes: number }): Outlet {
  let onProgress: () => void = () => undefined;
  let sent = 0;
  // Not `drain`: that comes only when nothing waits any more, and by then the viewer has been idle.
  connection.once('close', () => onProgress());
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
