import { rm, writeFile } from 'node:fs/promises';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';

/** A file that makes the next daemon start this process, so that work goes on that nobody asks for any more. */
export interface JobsMark {
  /** Makes the file be there, or not. Never rejects: without it the work goes on when this process is next needed. */
  set(wanted: boolean): Promise<void>;
}

/** One mark for several who may each want it; as long as one of them has not said, what is there stays. */
export function createJobsMarks<Who extends string>(file: string, who: readonly Who[]): Record<Who, JobsMark> {
  const mark = createMark(file);
  const wishes = new Map<Who, boolean>();
  const markOf = (one: Who): JobsMark => ({
    async set(wanted) {
      wishes.set(one, wanted);
      const isWanted = [...wishes.values()].includes(true);
      if (isWanted || wishes.size === who.length) await mark.set(isWanted);
    },
  });
  return Object.fromEntries(who.map((one) => [one, markOf(one)])) as Record<Who, JobsMark>;
}

function createMark(file: string): JobsMark {
  const mutex = createMutex();
  let current: boolean | undefined;

  async function change(wanted: boolean): Promise<void> {
    if (current === wanted) return;
    await (wanted ? writeFile(file, '', { mode: 0o600 }) : rm(file, { force: true }));
    current = wanted;
  }

  return {
    // In a folder that cannot be written to, the next change tries again.
    set: (wanted) => mutex.run(() => change(wanted)).catch(() => undefined),
  };
}
