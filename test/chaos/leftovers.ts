import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../support/machine/until.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const HALF_MADE = /\.(?:new|partial|tmp|previous|download)(?:$|\.)/;
/** Of a process or of work that is over. */
const ENDED = /\.(?:sock|world-lock|restore\.json|game|installer|process|starting)$|^daemon\.(?:json|lock)$/;
const GONE_MS = 10_000;

/** Once Gamekeeper and all servers were stopped: no process, no socket, nothing half made, and a database that is whole. */
export async function checkLeftovers(home: string, onFault: (what: string) => void): Promise<void> {
  await until('all processes have ended', () => processesOf(home).length === 0, {
    deadlineMs: GONE_MS,
    describe: () => processesOf(home),
  }).catch((error: Error) => onFault(error.message));
  for (const entry of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    const name = path.basename(entry);
    // What a game leaves in its own folder when it is killed is its own business.
    const isGames = entry.startsWith('instances') && entry.split(path.sep).length > 2;
    if (HALF_MADE.test(name) && !isGames) onFault(`half made: ${entry}`);
    if (entry.startsWith(`run${path.sep}`) && ENDED.test(name)) onFault(`left over: ${entry}`);
  }
  const database = new DatabaseSync(path.join(home, 'gamekeeper.db'));
  try {
    const [row] = database.prepare('PRAGMA quick_check').all();
    if (row?.quick_check !== 'ok') onFault(`the database: ${JSON.stringify(row)}`);
  } finally {
    database.close();
  }
}
