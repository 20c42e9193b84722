import { rm, writeFile } from 'node:fs/promises';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';

/** A file that makes the next daemon start this process even without a request, because there is unfinished work. */
export interface JobsMark {
  /** Creates or removes the file. Never rejects: without it, the work continues when this process is next needed. */
  set(wanted: boolean): Promise<void>;
}

/** Several marks on one file, which exists while any of them is wanted. It is not removed until each mark was set once. */
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
    // If the folder is not writable, the next change tries again.
    set: (wanted) => mutex.run(() => change(wanted)).catch(() => undefined),
  };
}
