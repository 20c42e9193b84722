import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../shared/node/atomic-file.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from '../../shared/node/process-identity.ts';
import { sessionMembers } from './process-tree.ts';

const LOOK_MS = 50;

/** Which process the game is, on disk: should this supervisor be killed, the next one knows what it may have left behind. */
export interface GameRecord {
  write(pid: number): Promise<void>;
  clear(): Promise<void>;
  /**
   * Ends the game of a supervisor that was killed. It has lost its terminal, which tells it to end; after `graceMs` it is made to. Nobody
   * can take such a game over, and a second one beside it would ruin the world. Resolves to whether there was one.
   */
  endLeftover(graceMs: number): Promise<boolean>;
}

export function gameRecord(file: string): GameRecord {
  return {
    async write(pid) {
      const identity = await identifyProcess(pid);
      if (identity) await writeFileAtomically(file, JSON.stringify(identity));
    },
    clear: () => rm(file, { force: true }),
    async endLeftover(graceMs) {
      const game = await read(file);
      const found = game !== undefined && (await isAlive(game));
      if (found) await end(game, graceMs);
      await rm(file, { force: true });
      return found;
    },
  };
}

async function end(game: ProcessIdentity, graceMs: number): Promise<void> {
  signal(-game.pid, 'SIGTERM'); // a game leads a process group
  const deadline = performance.now() + graceMs;
  for (let killed = false; await isAlive(game); await sleep(LOOK_MS)) {
    if (killed || performance.now() < deadline) continue;
    killed = true;
    for (const pid of [-game.pid, ...sessionMembers(game.pid)]) signal(pid, 'SIGKILL');
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone meanwhile, which is what was wanted.
  }
}

async function read(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Partial<ProcessIdentity>;
    return typeof value.pid === 'number' && typeof value.startTime === 'string'
      ? { pid: value.pid, startTime: value.startTime }
      : undefined;
  } catch {
    return undefined; // none, or not whole: then there is nothing to go by
  }
}
