/** A JVM needs this much beside its heap, at the least and at the most, and between them a quarter. MiB. */
const LEAST_OVERHEAD = 64;
const MOST_OVERHEAD = 1024;

/**
 * The heap of a server that may use so much memory, in MiB: the rest is for the JVM itself (classes, compiled code, threads, buffers).
 * Of 2048 MB it is 1536, of 8192 it is 7168.
 */
export function heapMb(memoryMb: number): number {
  const overhead = Math.min(MOST_OVERHEAD, Math.max(LEAST_OVERHEAD, Math.round(memoryMb / 4)));
  return memoryMb - overhead;
}

/** The other way round: with so much memory a server gets a heap of at least this, in MiB. */
export function memoryForHeap(heap: number): number {
  const memory = Math.min(heap + MOST_OVERHEAD, Math.max(heap + LEAST_OVERHEAD, Math.ceil((heap * 4) / 3)));
  return heapMb(memory) < heap ? memory + 1 : memory;
}
