import { until } from '../support/machine/until.ts';
import { readConsole } from './console-on-disk.ts';
import { checkCounted } from './counted-lines.ts';
import type { LineWitness } from './line-witness.ts';

/** For a viewer to have what is on disk, milliseconds. */
const CAUGHT_UP_MS = 30_000;

export interface WatchedConsoles {
  home: string;
  /** Of each server, by its id. */
  witnesses: ReadonlyMap<string, LineWitness>;
}

/** Resolves when every viewer has what the log on disk has by then. */
export async function untilCaughtUp({ home, witnesses }: WatchedConsoles): Promise<void> {
  for (const [id, { texts }] of witnesses) {
    const disk = readConsole(home, id);
    const last = disk.first + disk.texts.length - 1;
    await until(`the viewer of ${id} has its ${last} lines`, () => texts.length >= last, {
      deadlineMs: CAUGHT_UP_MS,
      describe: () => `it has ${texts.length}`,
    });
  }
}

/** What a run's consoles held. */
export interface ConsoleStats {
  /** Lines that a viewer has, the same as on disk as far as they are kept there. */
  lines: number;
  /** Those of them that games have counted. */
  countedLines: number;
  gameRuns: number;
}

/** Every line is on disk once and in order, and a viewer has the same; what the games have counted has no gap. */
export function checkConsoles({ home, witnesses }: WatchedConsoles, onFault: (what: string) => void): ConsoleStats {
  const sum: ConsoleStats = { lines: 0, countedLines: 0, gameRuns: 0 };
  for (const [id, witness] of witnesses) {
    const disk = readConsole(home, id);
    // What has been rotated away, a viewer has seen.
    const rotated = disk.first - 1;
    const counted = checkCounted([...witness.texts.slice(0, rotated), ...disk.texts]);
    for (const fault of [...disk.faults, ...counted.faults]) onFault(`log of ${id}: ${fault}`);
    for (const fault of [...witness.faults, ...difference(witness.texts.slice(rotated), disk.texts)])
      onFault(`viewer of ${id}: ${fault}`);
    sum.lines += witness.texts.length;
    sum.countedLines += counted.lines;
    sum.gameRuns += counted.runs;
  }
  return sum;
}

function difference(seen: readonly string[], disk: readonly string[]): string[] {
  const first = seen.findIndex((text, index) => text !== disk[index]);
  return first < 0 ? [] : [`line ${first + 1} of those on disk is ${seen[first]}, there ${disk[first]}`];
}
