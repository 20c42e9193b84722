import type { ConsoleLine } from '../console-connection.ts';
import { withoutColours } from '../strip-colours.ts';

/** So many lines are kept for who listens. */
const MOST_LINES = 40;
/** What is told at a time; of more, only the newest. */
const MOST_AT_ONCE = 8;
/** Told at most so often: a page that changes with every line is nothing to listen to. Milliseconds. */
const TELL_EVERY_MS = 1_000;

/** A line of the log, or how many lines were left out before the next. */
export type HeardLine = { seq: number; text: string } | { seq: number; leftOut: number };

/** The newest lines of a log, each once, however often a console is connected. */
export interface LogTail {
  /** Number of the newest line; 0: none yet. */
  readonly newest: number;
  /** A new connection may begin with lines that are known. */
  reconnect(): void;
  add(lines: readonly ConsoleLine[]): void;
  subscribe(onChange: () => void): () => void;
  heard(): readonly HeardLine[];
}

export function followTail(): LogTail {
  const listeners = new Set<() => void>();
  let newest = 0;
  /** The last line of this connection. */
  let last = 0;
  let waiting: ConsoleLine[] = [];
  let leftOut = 0;
  let heard: readonly HeardLine[] = [];
  let timer: number | undefined;

  function tell(): void {
    timer = undefined;
    const [first] = waiting;
    if (!first) return;
    const gap = leftOut > 0 ? [{ seq: first.seq - 1, leftOut }] : [];
    const lines = waiting.map(({ seq, text }) => ({ seq, text: withoutColours(text) }));
    heard = [...heard, ...gap, ...lines].slice(-MOST_LINES);
    waiting = [];
    leftOut = 0;
    for (const listener of listeners) listener();
  }

  return {
    get newest() {
      return newest;
    },
    reconnect() {
      last = 0;
    },
    add(lines) {
      const [first, end] = [lines[0], lines.at(-1)];
      if (!first || !end) return;
      // The log was deleted meanwhile, and begins anew.
      if (first.seq <= last) newest = 0;
      last = end.seq;
      const fresh = lines.filter(({ seq }) => seq > newest);
      newest = Math.max(newest, last);
      const all = [...waiting, ...fresh];
      waiting = all.slice(-MOST_AT_ONCE);
      leftOut += all.length - waiting.length;
      if (waiting.length > 0) timer ??= window.setTimeout(tell, TELL_EVERY_MS);
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
        if (listeners.size > 0) return;
        window.clearTimeout(timer);
        timer = undefined;
      };
    },
    heard: () => heard,
  };
}
