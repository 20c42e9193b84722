import { readFile, rm } from 'node:fs/promises';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import type { Log } from '../own-process/process-log.ts';

/** The values on which the instance and its `server.properties` last agreed, on disk. */
export interface AgreedValues {
  /** Returns `undefined` if they are not known. */
  read(): Promise<Record<string, string> | undefined>;
  /** Writes the values unless they are the same as before. */
  note(values: Readonly<Record<string, string>>): Promise<void>;
  forget(): Promise<void>;
}

/** Failures to read or write the file are ignored: without it, the instance's settings win. */
export function createAgreedValues(file: string, log: Log): AgreedValues {
  const read = async () => {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      return typeof value === 'object' && value !== null ? (value as Record<string, string>) : undefined;
    } catch {
      return undefined; // none yet, or broken
    }
  };
  return {
    read,
    async note(values) {
      const content = JSON.stringify(values);
      if (JSON.stringify(await read()) === content) return;
      await writeFileAtomically(file, content).catch((error: unknown) =>
        log('warn', 'the values of server.properties could not be noted', { error }),
      );
    },
    async forget() {
      await rm(file, { force: true });
    },
  };
}
