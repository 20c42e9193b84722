import type { Socket } from 'node:net';

/** Time for the first bytes. Milliseconds. */
const WITHIN_MS = 5_000;

/** What a connection begins with. */
export interface FirstBytes<T> {
  found: T;
  /** How many of the bytes are taken off the connection. */
  length: number;
}

/**
 * Reads from a paused connection until `read` returns what it begins with, and pauses it again. `read` gets all bytes so far, returns
 * `undefined` while there are too few, and throws RangeError for something else; it bounds how many there can be. Calls `done` once: without
 * a result for something else, if it does not come in time, and if the connection ends.
 */
export function takeFirstBytes<T>(
  socket: Socket,
  read: (bytes: Buffer) => FirstBytes<T> | undefined,
  done: (found: T | undefined) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => end(undefined), WITHIN_MS);
  const gone = () => end(undefined);

  function end(first: FirstBytes<T> | undefined): void {
    clearTimeout(timer);
    socket.off('data', look);
    socket.off('close', gone);
    socket.off('end', gone);
    socket.pause();
    if (first && bytes.length > first.length) socket.unshift(bytes.subarray(first.length));
    done(first?.found);
  }
  function look(data: Buffer): void {
    bytes = bytes.length === 0 ? data : Buffer.concat([bytes, data]);
    let first: FirstBytes<T> | undefined;
    try {
      first = read(bytes);
    } catch {
      end(undefined);
      return;
    }
    if (first) end(first);
  }
  socket.on('data', look);
  socket.once('close', gone);
  socket.once('end', gone);
  socket.resume();
}
