/** Memory that a JVM needs besides its heap, MiB: a quarter, within these bounds. */
const LEAST_OVERHEAD = 64;
const MOST_OVERHEAD = 1024;

/**
 * Returns the heap of a server with this much memory, in MiB; for example 1536 of 2048, or 7168 of 8192. The JVM needs the rest for
 * classes, compiled code, threads and buffers.
 */
export function heapMb(memoryMb: number): number {
  const overhead = Math.min(MOST_OVERHEAD, Math.max(LEAST_OVERHEAD, Math.round(memoryMb / 4)));
  return memoryMb - overhead;
}

/** Returns the memory that a server needs for a heap of at least this size, in MiB. */
export function memoryForHeap(heap: number): number {
  const memory = Math.min(heap + MOST_OVERHEAD, Math.max(heap + LEAST_OVERHEAD, Math.ceil((heap * 4) / 3)));
  return heapMb(memory) < heap ? memory + 1 : memory;
}
