import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../../../shared/node/files/atomic-file.ts';
import type { Home } from '../../../../shared/node/files/home.ts';
import type { Move } from './moves.ts';

/** A restore that touches the disk: enough to finish it, or take it back, after any crash. */
export interface SwapJournal {
  instanceId: string;
  /** The renames, in this order. Empty while the backup is still being unpacked. */
  moves: Move[];
  /** Folder with the unpacked backup: of no use once the moves are taken back. */
  scratch: string;
  /** Folder with what stood there before, kept for a while when the swap is done. */
  previous: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/**
 * The journal is a file beside the instance's record, so that whoever wants to start the server sees that its folder may be in pieces:
 * `run/instances/<id>.restore.json`.
 */
export interface SwapJournals {
  write(journal: SwapJournal): Promise<void>;
  remove(instanceId: string): Promise<void>;
  /** Those of restores that were cut off. */
  all(): Promise<SwapJournal[]>;
}

export function swapJournals(home: Home): SwapJournals {
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
