import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import type { Log } from '../own-process/process-log.ts';

/** A list of a supervisor on disk, which only it reads and writes. */
export interface KeptList<Entry> {
  /** Returns what is on disk. Missing or damaged, the list is empty: neither should stop a server. */
  read(): Entry[];
  /** Resolves when the list is on disk. A failure is only logged. */
  write(entries: readonly Entry[]): Promise<void>;
  /** Resolves once every write so far is over. */
  settled(): Promise<void>;
}

export function keptList<Entry>(
  file: string,
  { isEntry, log }: { isEntry: (value: unknown) => value is Entry; log: Log },
): KeptList<Entry> {
  const writes = createMutex();
  return {
    read() {
      try {
        const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
        return Array.isArray(value) ? value.filter(isEntry) : [];
      } catch {
        return [];
      }
    },
    write(entries) {
      const content = JSON.stringify(entries);
      return writes.run(() =>
        writeFileAtomically(file, content).catch((error: unknown) =>
          log('warn', 'a list of players could not be written', { error, file }),
        ),
      );
    },
    settled: writes.settled,
  };
}
