import { readFileSync } from 'node:fs';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { everyPid, sampleProcessTree, sessionMembers } from './process-tree.ts';

/**
 * The environment variable that marks every process of a run, with a different value for each run. It identifies processes that have left
 * the game's session and lost their parent. Jenkins finds the leftovers of a build in the same way (ProcessTreeKiller).
 */
export const RUN_MARK = 'GAME_SERVER_RUN';

/** Identifies the processes of one run of a game. */
export interface GameProcesses {
  /** The first process, which leads a session and a process group. 0 if unknown. */
  leader: number;
  mark: string;
}

/** Returns the processes that outlive the first one: in its session, and those that left it. Empty without /proc. */
export function leftoversOf({ leader, mark }: GameProcesses): { inSession: number[]; elsewhere: number[] } {
  if (process.platform !== 'linux') return { inSession: [], elsewhere: [] };
  const inSession = leader > 0 ? sessionMembers(leader) : [];
  return { inSession, elsewhere: marked(mark).filter((pid) => pid !== leader && !inSession.includes(pid)) };
}

/** Kills every process by group, session, parent and mark, since a child can escape each of them. */
export function killGame(game: GameProcesses, { leaderEnded }: { leaderEnded: boolean }): void {
  // The number of an ended leader may have been reused.
  const tree = leaderEnded ? [] : sampleProcessTree(game.leader).map((sample) => sample.pid);
  const { inSession, elsewhere } = leftoversOf(game);
  if (game.leader > 0) sendSignal(-game.leader, 'SIGKILL');
  for (const pid of new Set([...tree, ...inSession, ...elsewhere])) sendSignal(pid, 'SIGKILL');
}

/** A negative pid is a process group. No effect if the process is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: the process is gone. EPERM: a child that runs as another user cannot be ended by us.
    if (!hasErrorCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Searches the environments at start (proc_pid_environ(5)). Those of zombies and of other users cannot be read. */
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
