import { rm } from 'node:fs/promises';
import { writeFileAtomically } from '../shared/node/atomic-file.ts';

/** `run/daemon.json`: that a daemon is ready, and where (api.md, Environment, settings, command line). */
export interface ReadyRecord {
  pid: number;
  version: string;
  /** URLs of the listeners; `null` while Remote Control is off. */
  panel: string | null;
  remote: string | null;
}

/** Writes the record. Returns how to remove it. */
export async function writeReadyFile(file: string, record: ReadyRecord): Promise<() => Promise<void>> {
  await writeFileAtomically(file, `${JSON.stringify(record)}\n`);
  return () => rm(file, { force: true });
}
