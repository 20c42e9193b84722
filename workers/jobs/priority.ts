import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets games go first. On Linux this is about disks too: a process that has not asked for an I/O priority gets one from its nice value
 * (ioprio_set(2)): 6 of 7 for nice 10.
 */
export function yieldToGames(): void {
  // There nice values belong to threads, and new ones inherit from their maker: those of V8 and libuv may exist already.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has just ended, or the system does not let us: no reason not to work.
    }
  }
}
