/** Enough for the directories of the archives that a few people look at. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Larger parts are content, which is read once. */
const MOST_PART_BYTES = 1024 * 1024;
/** Somebody who goes from folder to folder comes back sooner. Milliseconds. */
const KEPT_MS = 60_000;

interface Kept {
  bytes: Uint8Array;
  timer: NodeJS.Timeout;
}

/** Keeps parts of stored objects for a minute, so that going through the folders of a copy does not fetch its directory again. */
export interface RecentParts {
  get(key: string): Uint8Array | undefined;
  add(key: string, bytes: Uint8Array): void;
}

export function createRecentParts(): RecentParts {
  const parts = new Map<string, Kept>();
  let total = 0;

  function drop(key: string): void {
    const kept = parts.get(key);
    if (!kept) return;
    clearTimeout(kept.timer);
    parts.delete(key);
    total -= kept.bytes.length;
  }

  return {
    get: (key) => parts.get(key)?.bytes,
    add(key, bytes) {
      if (bytes.length > MOST_PART_BYTES) return;
      drop(key);
      parts.set(key, { bytes, timer: setTimeout(() => drop(key), KEPT_MS).unref() });
      total += bytes.length;
      for (const oldest of parts.keys()) {
        if (total <= MOST_BYTES) return;
        drop(oldest);
      }
    },
  };
}
