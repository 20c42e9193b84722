import { readFileSync } from 'node:fs';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { withStorageError } from '../../../shared/node/files/disk-space.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import type { Log } from '../own-process/process-log.ts';

/** A list of a supervisor on disk, which only it reads and writes. */
export interface KeptList<Entry> {
  /** Returns what is on disk. Missing or damaged, which is logged, the list is empty: neither should stop a server. */
  read(): Entry[];
  /** Resolves when the list is on disk. Throws `insufficient_storage` if the disk is full. */
  write(entries: readonly Entry[]): Promise<void>;
  /** Like `write`, but a failure is only logged. */
  tryWrite(entries: readonly Entry[]): Promise<void>;
  /** Resolves once every write so far is over. */
  settled(): Promise<void>;
}

export function keptList<Entry>(
  file: string,
  { isEntry, log }: { isEntry: (value: unknown) => value is Entry; log: Log },
): KeptList<Entry> {
  const writes = createMutex();
  const damaged = (error?: unknown) => log('warn', 'a list of players is damaged', { error, file });

  function write(entries: readonly Entry[]): Promise<void> {
    const content = JSON.stringify(entries);
    return writes.run(() =>
      writeFileAtomically(file, content).catch((error: unknown) => {
        throw withStorageError(error, 'a list of players');
      }),
    );
  }

  return {
    read() {
      try {
        const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
        const entries = Array.isArray(value) ? value.filter(isEntry) : [];
        if (!Array.isArray(value) || entries.length < value.length) damaged();
        return entries;
      } catch (error) {
        if (!hasErrorCode(error, 'ENOENT')) damaged(error);
        return [];
      }
    },
    write,
    tryWrite: (entries) =>
      write(entries).catch((error: unknown) => log('warn', 'a list of players could not be written', { error, file })),
    settled: writes.settled,
  };
}
