import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import type { Home } from '../../../../shared/node/files/home.ts';

/** Empty files, `run/instances/<id>.restart`: while one exists, its server is stopped for a restore and has to start again after it. */
export interface RestartMarks {
  /** Resolves once it is on disk. */
  set(instanceId: string): Promise<void>;
  remove(instanceId: string): Promise<void>;
  /** Resolves to the ids of the instances. */
  all(): Promise<string[]>;
}

export function createRestartMarks(home: Home): RestartMarks {
  const folder = path.dirname(home.restartMark('any'));
  const extension = path.extname(home.restartMark('any'));
  return {
    set: (instanceId) => writeFileAtomically(home.restartMark(instanceId), ''),
    async remove(instanceId) {
      await rm(home.restartMark(instanceId), { force: true });
      await syncDirectory(folder);
    },
    async all() {
      const names = await readdir(folder);
      return names.filter((name) => path.extname(name) === extension).map((name) => path.basename(name, extension));
    },
  };
}
