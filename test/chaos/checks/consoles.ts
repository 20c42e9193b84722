import { until } from '../../support/machine/until.ts';
import { readConsole } from './console-on-disk.ts';
import type { ConsoleWatcher } from './console-watcher.ts';
import { checkCounted } from './counted-lines.ts';

/** How long a viewer may take to receive the lines that are on disk. Milliseconds. */
const CAUGHT_UP_MS = 30_000;

export interface WatchedConsoles {
  home: string;
  /** By server id. */
  watchers: ReadonlyMap<string, ConsoleWatcher>;
}

/** Waits until every viewer has received the lines that are in the log on disk now. */
export async function untilCaughtUp({ home, watchers }: WatchedConsoles): Promise<void> {
  for (const [id, { texts }] of watchers) {
    const disk = readConsole(home, id);
    const last = disk.first + disk.texts.length - 1;
    await until(`the viewer of ${id} has its ${last} lines`, () => texts.length >= last, {
      deadlineMs: CAUGHT_UP_MS,
      describe: () => `it has ${texts.length}`,
    });
  }
}

export interface ConsoleStats {
  /** Lines that the viewers received. */
  lines: number;
  /** How many of those were numbered by game processes. */
  countedLines: number;
  gameRuns: number;
}

/** Checks that every line is on disk once and in order, that the viewer received the same, and that no counted line is missing. */
export function checkConsoles({ home, watchers }: WatchedConsoles, onFault: (what: string) => void): ConsoleStats {
  const sum: ConsoleStats = { lines: 0, countedLines: 0, gameRuns: 0 };
  for (const [id, watcher] of watchers) {
    const disk = readConsole(home, id);
    // Lines that have been rotated away are checked as the viewer received them.
    const rotated = disk.first - 1;
    const counted = checkCounted([...watcher.texts.slice(0, rotated), ...disk.texts]);
    for (const fault of [...disk.faults, ...counted.faults]) onFault(`log of ${id}: ${fault}`);
    for (const fault of [...watcher.faults, ...difference(watcher.texts.slice(rotated), disk.texts)])
      onFault(`viewer of ${id}: ${fault}`);
    sum.lines += watcher.texts.length;
    sum.countedLines += counted.lines;
    sum.gameRuns += counted.runs;
  }
  return sum;
}

function difference(seen: readonly string[], disk: readonly string[]): string[] {
  const first = seen.findIndex((text, index) => text !== disk[index]);
  return first < 0
    ? []
    : [`line ${first + 1} of the log is "${disk[first]}", but the viewer received "${seen[first]}"`];
}
