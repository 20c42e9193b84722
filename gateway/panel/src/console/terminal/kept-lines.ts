import { stripColours } from '../strip-colours.ts';
import type { Level } from './line-level.ts';

export const LEVEL_FILTERS = ['all', 'warnings', 'errors'] as const;
/** Which lines are shown: all, warnings and errors, or errors only. */
export type LevelFilter = (typeof LEVEL_FILTERS)[number];

export interface KeptLine {
  /** The line's number in the log; 0 for a message. */
  seq: number;
  text: string;
  level: Level;
  /**
   * `frame`: a frame of a stack trace. `command`: the echo of a command that was sent from here. `notice`: a line that Gamekeeper wrote into the
   * log. `message`: one that is not in the log; no filter hides it.
   */
  kind: 'output' | 'frame' | 'command' | 'notice' | 'message';
}

/** The newest lines of a console, so that they can be shown again with another filter, and which of them were shown already. */
export interface KeptLines {
  add(line: KeptLine): void;
  /** Returns the next lines to show: a piece that the terminal parses in a few milliseconds. Empty if all were returned. */
  take(): KeptLine[];
  /** Starts over with another filter. */
  show(filter: LevelFilter): void;
  clear(): void;
  /** Returns all lines, also those that the filter hides. */
  all(): readonly KeptLine[];
  /** Returns all lines that the filter lets through. */
  shown(): KeptLine[];
  /** Returns these lines, which are in order, and all that are kept between them, also those that the filter hides. */
  withBetween(shown: readonly KeptLine[]): KeptLine[];
  /** Number of lines that the filter hides. */
  readonly hidden: number;
}

const HIDDEN_LEVELS: Record<LevelFilter, readonly Level[]> = {
  all: [],
  warnings: ['info'],
  errors: ['info', 'warning'],
};
const PIECE_LINES = 500;
const PIECE_LENGTH = 50_000;
/** Lines removed at once, because the others move. */
const SPARE_LINES = 10_000;

/** Keeps at least the newest `maxLines` lines, or fewer if they have more than `maxLength` characters. */
export function createKeptLines({ maxLines, maxLength }: { maxLines: number; maxLength: number }): KeptLines {
  let lines: KeptLine[] = [];
  let length = 0;
  let next = 0;
  let filter: LevelFilter = 'all';
  let counts: Record<Level, number> = { info: 0, warning: 0, error: 0 };

  const passes = ({ level, kind }: KeptLine) => kind === 'message' || !HIDDEN_LEVELS[filter].includes(level);

  function count({ level, kind, text }: KeptLine, by: 1 | -1): void {
    length += by * text.length;
    if (kind !== 'message') counts[level] += by;
  }

  function dropOldest(): void {
    let dropped = 0;
    for (; lines.length - dropped > maxLines || length > maxLength; dropped++) count(lines[dropped]!, -1);
    lines.splice(0, dropped);
    next = Math.max(0, next - dropped);
  }

  return {
    add(line) {
      lines.push(line);
      count(line, 1);
      if (lines.length >= maxLines + SPARE_LINES || length > maxLength * 1.1) dropOldest();
    },
    take() {
      const piece: KeptLine[] = [];
      let taken = 0;
      for (; next < lines.length && piece.length < PIECE_LINES && taken < PIECE_LENGTH; next++) {
        const line = lines[next]!;
        if (!passes(line)) continue;
        piece.push(line);
        taken += line.text.length;
      }
      return piece;
    },
    show(chosen) {
      filter = chosen;
      next = 0;
    },
    clear() {
      lines = [];
      length = 0;
      next = 0;
      counts = { info: 0, warning: 0, error: 0 };
    },
    all: () => lines,
    shown: () => lines.filter(passes),
    withBetween(shown) {
      const [first, last] = [shown[0], shown.at(-1)];
      if (!first || !last) return [];
      const kept = new Set(lines);
      // Lines stay on the screen after they were dropped here, which are older than all others.
      const dropped = shown.filter((line) => !kept.has(line));
      return [...dropped, ...lines.slice(Math.max(0, lines.indexOf(first)), lines.lastIndexOf(last) + 1)];
    },
    get hidden() {
      return HIDDEN_LEVELS[filter].reduce((sum, level) => sum + counts[level], 0);
    },
  };
}

/** Returns the newest of these lines that are in the log, without colours, each with a line break. */
export function plainText(lines: readonly KeptLine[], most = Number.POSITIVE_INFINITY): string {
  const inLog = lines.filter(({ kind }) => kind !== 'message').slice(-most);
  return inLog.map(({ text }) => `${stripColours(text)}\n`).join('');
}
