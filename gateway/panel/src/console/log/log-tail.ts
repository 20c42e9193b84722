import type { ConsoleLine } from '../console-connection.ts';
import { stripColours } from '../strip-colours.ts';

const MAX_LINES = 40;
/** Of more lines at once, only the newest are announced. */
const MAX_LINES_AT_ONCE = 8;
/** A live region that changes with every line cannot be listened to. */
const ANNOUNCE_EVERY_MS = 1_000;

/** A line of the log, or the number of lines skipped before the next one. */
export type AnnouncedLine = { seq: number; text: string } | { seq: number; skipped: number };

/** The newest lines of a log for screen readers, each once, even after the console reconnects. */
export interface LogTail {
  /** Number of the newest line; 0 if there is none. */
  readonly newest: number;
  /** Call before a new connection, which may repeat known lines. */
  reconnect(): void;
  add(lines: readonly ConsoleLine[]): void;
  subscribe(onChange: () => void): () => void;
  announced(): readonly AnnouncedLine[];
}

export function createLogTail(): LogTail {
  const listeners = new Set<() => void>();
  let newest = 0;
  let lastOfConnection = 0;
  let pending: ConsoleLine[] = [];
  let skipped = 0;
  let announced: readonly AnnouncedLine[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function announce(): void {
    timer = undefined;
    const [first] = pending;
    if (!first) return;
    const gap = skipped > 0 ? [{ seq: first.seq - 1, skipped }] : [];
    const lines = pending.map(({ seq, text }) => ({ seq, text: stripColours(text) }));
    announced = [...announced, ...gap, ...lines].slice(-MAX_LINES);
    pending = [];
    skipped = 0;
    for (const listener of listeners) listener();
  }

  return {
    get newest() {
      return newest;
    },
    reconnect() {
      lastOfConnection = 0;
    },
    add(lines) {
      const [first, last] = [lines[0], lines.at(-1)];
      if (!first || !last) return;
      // The log was deleted and starts at 1 again.
      if (first.seq <= lastOfConnection) newest = 0;
      lastOfConnection = last.seq;
      const fresh = lines.filter(({ seq }) => seq > newest);
      newest = Math.max(newest, lastOfConnection);
      const all = [...pending, ...fresh];
      pending = all.slice(-MAX_LINES_AT_ONCE);
      skipped += all.length - pending.length;
      if (pending.length > 0) timer ??= setTimeout(announce, ANNOUNCE_EVERY_MS);
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
    announced: () => announced,
  };
}
