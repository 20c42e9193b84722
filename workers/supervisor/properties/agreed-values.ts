import { readFile, rm } from 'node:fs/promises';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import type { Log } from '../own-process/process-log.ts';

/** What the instance and its `server.properties` both said when they last agreed, on disk. */
export interface AgreedValues {
  /** `undefined`: nobody knows. */
  read(): Promise<Record<string, string> | undefined>;
  /** Does nothing where that is known already. */
  note(values: Readonly<Record<string, string>>): Promise<void>;
  forget(): Promise<void>;
}

/** Neither to have nor to keep this is worth a failure: without it, what the instance says counts. */
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
        log('warn', 'what server.properties says could not be noted', { error }),
      );
    },
    async forget() {
      await rm(file, { force: true });
    },
  };
}
