import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../../support/machine/until.ts';
import { processesOf } from '../../support/processes/leftovers.ts';

const PARTIAL = /\.(?:new|partial|tmp|previous|download)(?:$|\.)/;
/** Files that belong to a running process or to unfinished work. */
const TEMPORARY = /\.(?:sock|world-lock|restore\.json|game|intent|installer|process|starting)$|^daemon\.(?:json|lock)$/;
const GONE_MS = 10_000;

/** Checks, after Gamekeeper and all servers were stopped, that no process, socket or partial file is left and that the database is intact. */
export async function checkLeftovers(home: string, onFault: (what: string) => void): Promise<void> {
  await until('all processes have ended', () => processesOf(home).length === 0, {
    deadlineMs: GONE_MS,
    describe: () => processesOf(home),
  }).catch((error: Error) => onFault(error.message));
  for (const entry of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    const name = path.basename(entry);
    // A game process that is killed may leave anything in its own folder.
    const isInServerFolder = entry.startsWith('instances') && entry.split(path.sep).length > 2;
    if (PARTIAL.test(name) && !isInServerFolder) onFault(`partial file: ${entry}`);
    if (entry.startsWith(`run${path.sep}`) && TEMPORARY.test(name)) onFault(`leftover: ${entry}`);
  }
  const database = new DatabaseSync(path.join(home, 'gamekeeper.db'));
  try {
    const [row] = database.prepare('PRAGMA quick_check').all();
    if (row?.quick_check !== 'ok') onFault(`the database: ${JSON.stringify(row)}`);
  } finally {
    database.close();
  }
}
