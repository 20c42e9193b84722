import { readFileSync } from 'node:fs';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { everyPid, sampleProcessTree, sessionMembers } from './process-tree.ts';

/**
 * In the environment of every process of a game, with another value for each run. What has left the game's session, and lost its parent as
 * well, is still known by it; build servers find what builds leave behind in the same way.
 */
export const RUN_MARK = 'GAME_SERVER_RUN';

/** What belongs to one run of a game. */
export interface GameProcesses {
  /** The first process: leads a session and a process group. 0: nobody knows which it is. */
  leader: number;
  /** Value of RUN_MARK. */
  mark: string;
}

/** What is left of a game whose first process has ended: what stayed in its session, and what left it. Empty where there is no /proc. */
export function leftoversOf({ leader, mark }: GameProcesses): { inSession: number[]; elsewhere: number[] } {
  if (process.platform !== 'linux') return { inSession: [], elsewhere: [] };
  const inSession = leader > 0 ? sessionMembers(leader) : [];
  return { inSession, elsewhere: marked(mark).filter((pid) => pid !== leader && !inSession.includes(pid)) };
}

/** Kills everything: by group, by session, by parentage and by mark, since a child may have left any of them. */
export function killGame(game: GameProcesses, { leaderEnded }: { leaderEnded: boolean }): void {
  // The number of a leader that is gone may by now be somebody else's.
  const tree = leaderEnded ? [] : sampleProcessTree(game.leader).map((sample) => sample.pid);
  const { inSession, elsewhere } = leftoversOf(game);
  if (game.leader > 0) sendSignal(-game.leader, 'SIGKILL');
  for (const pid of new Set([...tree, ...inSession, ...elsewhere])) sendSignal(pid, 'SIGKILL');
}

/** Negative: the process group. No effect on what is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: it is gone, which is what was wanted. EPERM: a child that runs as somebody else is not ours to end.
    if (!hasErrorCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** proc_pid_environ(5): what a process was started with. That of other users' processes cannot be read, nor that of zombies. */
function marked(mark: string): number[] {
  const wanted = `${RUN_MARK}=${mark}`;
  return everyPid().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(wanted);
    } catch {
      return false;
    }
  });
}
