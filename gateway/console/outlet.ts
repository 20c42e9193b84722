import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Frame } from './frame.ts';

/** Frames of this size that closely follow each other are a flood, which nobody can read. */
const FLOOD_BYTES = 32 * 1024;
/** In a flood, time between two writes. */
const GATHER_MS = 10;
/** At this size, a write does not wait: a quarter of what one viewer may have in flight. */
const ENOUGH_BYTES = 256 * 1024;

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
  let gathered = 0;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  /** Frames that closely follow each other become one write: each costs the system several microseconds, whatever its size. */
  function gather(bytes: number): void {
    if (gathered === 0) connection.cork();
    gathered += bytes;
    const quietFor = performance.now() - lastFlush;
    if (bytes >= FLOOD_BYTES && gathered < ENOUGH_BYTES && quietFor < GATHER_MS)
      timer ??= setTimeout(flush, GATHER_MS - quietFor);
    else if (!isDue) {
      isDue = true;
      process.nextTick(flush);
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    isDue = false;
    gathered = 0;
    lastFlush = performance.now();
    connection.uncork();
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
      gather(length);
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
