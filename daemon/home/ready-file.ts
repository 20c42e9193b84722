import { rm } from 'node:fs/promises';
import type { Listeners } from '../../shared/contract/daemon/settings.ts';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';

/** The content of `run/daemon.json`, which exists while a daemon is ready (docs/operating.md). */
export interface ReadyRecord extends Listeners {
  pid: number;
  version: string;
}

export interface ReadyFile {
  announce(record: ReadyRecord): Promise<void>;
  /** Updates the addresses, if the file exists. */
  moved(listeners: Listeners): Promise<void>;
  remove(): Promise<void>;
}

export function createReadyFile(file: string): ReadyFile {
  const mutex = createMutex();
  let record: ReadyRecord | undefined;
  const write = () => writeFileAtomically(file, `${JSON.stringify(record)}\n`);
  return {
    announce: (announced) =>
      mutex.run(() => {
        record = announced;
        return write();
      }),
    moved: (listeners) =>
      mutex.run(async () => {
        if (record === undefined) return;
        record = { ...record, ...listeners };
        await write();
      }),
    remove: () =>
      mutex.run(() => {
        record = undefined;
        return rm(file, { force: true });
      }),
  };
}
