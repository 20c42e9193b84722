import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import type { Home } from '../../../../shared/node/files/home.ts';
import type { Move } from './moves.ts';

/** Everything needed to finish or undo a restore after a crash. */
export interface SwapJournal {
  instanceId: string;
  /** The renames, in this order. Empty while the backup is still being unpacked. */
  moves: Move[];
  /** Folder with the unpacked backup. Useless once the moves are undone. */
  scratch: string;
  /** Folder with the old content, kept for a while after the swap. */
  previous: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** Journals are files, `run/instances/<id>.restore.json`: while one exists, the supervisor does not start the server. */
export interface SwapJournals {
  write(journal: SwapJournal): Promise<void>;
  remove(instanceId: string): Promise<void>;
  all(): Promise<SwapJournal[]>;
}

export function createSwapJournals(home: Home): SwapJournals {
  const folder = path.dirname(home.restoreMark('any'));
  return {
    write: (journal) => writeFileAtomically(home.restoreMark(journal.instanceId), `${JSON.stringify(journal)}\n`),
    async remove(instanceId) {
      await rm(home.restoreMark(instanceId), { force: true });
      await syncDirectory(folder);
    },
    async all() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.restore.json'));
      return Promise.all(
        names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as SwapJournal),
      );
    },
  };
}
