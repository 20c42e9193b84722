/** A whole second may arrive at once. */
const BURST_SECONDS = 1;

/** What one account may send and receive for its players. */
export interface Bandwidth {
  /** Takes bytes that were received. Returns how long to wait before the next ones, in milliseconds. */
  take(bytes: number): number;
  /** Takes bytes that can be dropped instead. Returns false if nothing is left. */
  tryTake(bytes: number): boolean;
}

export function createBandwidth(bytesPerSecond: number, now: () => number = () => performance.now()): Bandwidth {
  const most = bytesPerSecond * BURST_SECONDS;
  let left = most;
  let at = now();

  function refill(): void {
    const time = now();
    left = Math.min(most, left + ((time - at) / 1000) * bytesPerSecond);
    at = time;
  }

  return {
    take(bytes) {
      refill();
      left -= bytes;
      return left >= 0 ? 0 : (-left / bytesPerSecond) * 1000;
    },
    tryTake(bytes) {
      refill();
      if (left < 0) return false;
      left -= bytes;
      return true;
    },
  };
}
