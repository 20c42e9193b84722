import { rm, writeFile } from 'node:fs/promises';

/** A file that makes the next daemon start this process, so that work goes on that nobody asks for any more. */
export interface JobsMark {
  /** Makes the file be there, or not. Never rejects: without it the work goes on when this process is next needed. */
  set(wanted: boolean): Promise<void>;
}

export function jobsMark(file: string): JobsMark {
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
