import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** Called for received bytes. Returns how long to wait before the next ones, in milliseconds. */
export type OnBytes = (bytes: number) => number;

/** Passes everything from each socket, which may be paused, to the other until both directions have ended, or one fails. */
export function joinSockets(one: Duplex, other: Duplex, onBytes: OnBytes = () => 0): void {
  passOn(one, other, onBytes);
  passOn(other, one, onBytes);
}

/** Holds back the sender while the receiver is slow, or has to wait. */
function passOn(from: Duplex, to: Duplex, onBytes: OnBytes): void {
  let isFull = false;
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    if (!isFull && timer === undefined) from.resume();
  };
  from.on('data', (data: Buffer) => {
    isFull = !to.write(data);
    const waitMs = onBytes(data.length);
    if (waitMs > 0 && timer === undefined)
      timer = setTimeout(() => {
        timer = undefined;
        goOn();
      }, waitMs);
    if (isFull || timer !== undefined) from.pause();
  });
  to.on('drain', () => {
    isFull = false;
    goOn();
  });
  const closed = () => {
    clearTimeout(timer);
    if (!from.readableEnded) breakOff(to);
  };
  from.resume();
  // Both events may have been before: a paused socket without data ends as well.
  if (from.readableEnded) to.end();
  else from.once('end', () => to.end());
  if (from.destroyed) closed();
  else from.once('close', closed);
}

/** With a reset, so that what the other side has received does not look complete. Node.js cannot reset a connection of TLS. */
function breakOff(socket: Duplex & { resetAndDestroy?: () => unknown }): void {
  if (socket.destroyed) return;
  if (socket.resetAndDestroy && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.destroy();
}
