import { rm } from 'node:fs/promises';
import type { Listeners } from '../../shared/contract/daemon/settings.ts';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';

/** `run/daemon.json`: that a daemon is ready, and where (api.md, Environment, settings, command line). */
export interface ReadyRecord extends Listeners {
  pid: number;
  version: string;
}

/** The record's file, there from `announce` to `remove`. */
export interface ReadyFile {
  announce(record: ReadyRecord): Promise<void>;
  /** The daemon is elsewhere now. Nothing happens before it is ready, or afterwards. */
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
