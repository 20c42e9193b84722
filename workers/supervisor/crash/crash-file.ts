import { readFile } from 'node:fs/promises';
import type { CrashReport } from '../../../shared/domain/instance/runtime.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import { newestLines } from '../console/log/newest-lines.ts';

/** The console log still has the lines before older crashes. */
const MOST_CRASHES = 50;
/** Console lines that are kept with each crash. */
export const CRASH_LINES = 50;
/** In UTF-16 units, of all lines of a crash. More than ordinary lines have, and little enough to read all crashes at once. */
const MOST_TEXT = 16 * 1024;

/** The crashes of an instance on disk, where they survive the supervisor. */
export interface CrashFile {
  /** Resolves when the crash is on disk. */
  add(crash: CrashReport): Promise<void>;
  /** Newest first. */
  all(): Promise<CrashReport[]>;
  /** Resolves when every crash so far is on disk, or failed to be written. */
  settled(): Promise<void>;
}

export function createCrashFile(file: string): CrashFile {
  const mutex = createMutex();

  async function read(): Promise<CrashReport[]> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      return Array.isArray(value) ? (value as CrashReport[]) : [];
    } catch {
      return []; // missing or damaged, neither of which should stop a server
    }
  }

  return {
    add(crash) {
      return mutex.run(async () => {
        const lines = newestLines(crash.lines, CRASH_LINES, MOST_TEXT);
        const crashes = [{ ...crash, lines }, ...(await read())].slice(0, MOST_CRASHES);
        await writeFileAtomically(file, JSON.stringify(crashes));
      });
    },
    async all() {
      await mutex.settled();
      return read();
    },
    settled: mutex.settled,
  };
}
