import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** The way to one viewer: whole frames, written to the connection below the WebSocket as they are. */
export interface Outlet {
  /** Bytes that wait in this process. */
  readonly waiting: number;
  /** Writes a frame, unless the socket is closing: nothing may follow a close frame (RFC 6455, section 5.5.1). */
  write(frame: Uint8Array): void;
  /** Resolves when what was written has left this process, or the connection is gone. */
  room(): Promise<void>;
}

/** `traffic` counts what is written. */
export function outletOf(socket: WebSocket, connection: Duplex, traffic: { sentBytes: number }): Outlet {
  return {
    get waiting() {
      return connection.writableLength;
    },
    write(frame) {
      if (socket.readyState !== socket.OPEN || !connection.writable) return;
      traffic.sentBytes += frame.length;
      connection.write(frame);
    },
    async room() {
      if (!connection.writableNeedDrain || connection.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          connection.off('drain', done);
          connection.off('close', done);
          resolve();
        };
        connection.on('drain', done);
        connection.on('close', done);
      });
    },
  };
}
