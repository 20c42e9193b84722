import type { Log } from '../own-process/process-log.ts';

/** Between two attempts at a record that could not be written, milliseconds. */
const AGAIN_MS = 1_000;

export interface KeptRecord {
  /** Puts on record what is to be there now. Resolves after one attempt; one that fails is repeated until it does not. Never rejects. */
  update(): Promise<void>;
  /** Resolves when nothing is written any more. */
  end(): Promise<void>;
}

/** Sees to it that a record is right in the end, also where disk or file descriptors are short for a while. */
export function keepRecord(write: () => Promise<void>, log: Log): KeptRecord {
  let writing: Promise<void> = Promise.resolve();
  let again: NodeJS.Timeout | undefined;
  let failures = 0;
  let over = false;

  async function attempt(): Promise<void> {
    clearTimeout(again);
    if (over) return;
    try {
      await write();
      failures = 0;
    } catch (error) {
      if (failures++ === 0) log('warn', 'the record of the game is not right', { error });
      again = setTimeout(update, AGAIN_MS);
    }
  }

  function update(): Promise<void> {
    writing = writing.then(attempt);
    return writing;
  }

  return {
    update,
    async end() {
      over = true;
      await writing;
      clearTimeout(again);
    },
  };
}
