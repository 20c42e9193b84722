import { rm, writeFile } from 'node:fs/promises';

/** A file that makes the next daemon start this process, so that work goes on that nobody asks for any more. */
export interface JobsMark {
  /** Makes the file be there, or not. Never rejects: without it the work goes on when this process is next needed. */
  set(wanted: boolean): Promise<void>;
}

/** One mark for several who may each want it; as long as one of them has not said, what is there stays. */
export function jobsMarks<Who extends string>(file: string, who: readonly Who[]): Record<Who, JobsMark> {
  const mark = jobsMark(file);
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

function jobsMark(file: string): JobsMark {
  let last: Promise<boolean | undefined> = Promise.resolve(undefined);

  async function change(before: boolean | undefined, wanted: boolean): Promise<boolean | undefined> {
    if (before === wanted) return before;
    await (wanted ? writeFile(file, '', { mode: 0o600 }) : rm(file, { force: true }));
    return wanted;
  }

  return {
    async set(wanted) {
      // A folder that cannot be written to is met again at the next change.
      last = last.then((before) => change(before, wanted).catch(() => undefined));
      await last;
    },
  };
}
