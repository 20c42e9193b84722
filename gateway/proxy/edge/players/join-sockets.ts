import type { Duplex } from 'node:stream';

/** Passes everything from each socket, which may be paused, to the other until both directions have ended, or one fails. `onBytes` returns how long to pause, in milliseconds. */
export function joinSockets(one: Duplex, other: Duplex, onBytes: (bytes: number) => number): void {
  passOn(one, other, onBytes);
  passOn(other, one, onBytes);
}

/** Holds back the sender while the receiver is slow, or the account has used its share. */
function passOn(from: Duplex, to: Duplex, onBytes: (bytes: number) => number): void {
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
  from.resume();
  from.once('end', () => to.end());
  from.once('close', () => {
    clearTimeout(timer);
    // Without an end, what the other side has received must not look complete.
    if (!from.readableEnded) to.destroy();
  });
}
