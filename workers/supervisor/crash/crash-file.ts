import { readFile } from 'node:fs/promises';
import type { CrashReport } from '../../../shared/domain/runtime.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';

/** Crashes that are remembered; what led to older ones is in the console's log. */
const MOST_CRASHES = 50;

/** The crashes of an instance, on disk, so that whoever is killed meanwhile has lost none. */
export interface CrashFile {
  /** On disk when this resolves. */
  add(crash: CrashReport): Promise<void>;
  /** Newest first. */
  all(): Promise<CrashReport[]>;
  /** Resolves when everything that was added is on disk, or could not be. */
  settled(): Promise<void>;
}

export function crashFile(file: string): CrashFile {
  const mutex = createMutex();

  async function read(): Promise<CrashReport[]> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      return Array.isArray(value) ? (value as CrashReport[]) : [];
    } catch {
      return []; // none yet, or somebody has edited it: nothing that a server should not run for
    }
  }

  return {
    add(crash) {
      return mutex.run(async () => {
        const crashes = [crash, ...(await read())].slice(0, MOST_CRASHES);
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
