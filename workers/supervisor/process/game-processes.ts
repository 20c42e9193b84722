import { readFileSync } from 'node:fs';
import { SUPERVISOR_SCOPE } from '../../../shared/contract/supervisor-boot.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { descendantsOf, everyProcess, type FoundProcess } from './process-tree.ts';

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
  /** The process that holds its terminal. It has the mark as well, but it and its children are not the game's. */
  holder?: number | undefined;
}

/**
 * Returns the processes of a run: its first process, the session of that, its descendants, and those with the run's mark or lock limit. Empty
 * without /proc. `leaderEnded`: the leader's number may belong to another process by now.
 */
export function processesOf(game: GameProcesses, { leaderEnded }: { leaderEnded: boolean }): FoundProcess[] {
  if (process.platform !== 'linux') return [];
  const all = everyProcess();
  const isReused = leaderEnded && all.some(({ pid }) => pid === game.leader);
  // By its number as well, since it leads a session only some time after it was forked.
  const isOfLeader = ({ pid, session }: FoundProcess) =>
    game.leader > 0 && !isReused && (session === game.leader || pid === game.leader);
  const isMarked = markTest(game.mark);
  const isInScope = scopeTest();
  const isOfGame = (found: FoundProcess) => isOfLeader(found) || isMarked(found.pid) || isInScope(found.pid);
  const isHolders = ({ session }: FoundProcess) => game.holder !== undefined && session === game.holder;
  const known = all.filter((found) => found.pid !== process.pid && !isHolders(found) && isOfGame(found));
  return [...known, ...descendantsOf(known, all)];
}

/** Kills every process of a run. */
export function killGame(game: GameProcesses, { leaderEnded }: { leaderEnded: boolean }): void {
  const found = processesOf(game, { leaderEnded });
  if (game.leader > 0) sendSignal(-game.leader, 'SIGKILL');
  for (const { pid } of found) sendSignal(pid, 'SIGKILL');
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

/**
 * Returns the number of file locks that a run's processes are limited to: another one for each run. Linux has ignored this limit since 2.4.25
 * (getrlimit(2), RLIMIT_LOCKS), but every child inherits it, also one that empties its environment and leaves its session and its parent.
 */
export function lockLimitOf(mark: string): number | undefined {
  const digits = mark.replaceAll('-', '').slice(0, LIMIT_DIGITS);
  return /^[0-9a-f]+$/.test(digits) && digits.length === LIMIT_DIGITS ? Number.parseInt(digits, 16) : undefined;
}

const LIMIT_DIGITS = 12;

/** Tests the environment at the start (proc_pid_environ(5)), which other users cannot read, and the limits. */
function markTest(mark: string): (pid: number) => boolean {
  const variable = `${RUN_MARK}=${mark}`;
  const limit = lockLimitOf(mark);
  const limited = limit === undefined ? undefined : new RegExp(`^Max file locks +\\d+ +${limit} `, 'm');
  return (pid) =>
    mark !== '' &&
    (limited?.test(read(`/proc/${pid}/limits`)) || read(`/proc/${pid}/environ`).split('\0').includes(variable));
}

/** The control group that the daemon made for this supervisor: everything else in it was started by a game (daemon/supervisors/supervisor-scope.ts). */
function scopeTest(): (pid: number) => boolean {
  const own = SCOPE.exec(read('/proc/self/cgroup'))?.[1];
  return (pid) => own !== undefined && SCOPE.exec(read(`/proc/${pid}/cgroup`))?.[1] === own;
}

const SCOPE = new RegExp(`^(?:0:|\\d+:name=systemd):(.*/${SUPERVISOR_SCOPE}[^/]*\\.scope)(?:/|$)`, 'm');

/** Returns nothing for a process that ended meanwhile, or that may not be read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
