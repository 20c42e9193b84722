import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process beyond doubt: pids are used again, a pid with its start time is not. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque, comparable only for equality: clock ticks since boot on Linux, a date elsewhere. */
  startTime: string;
}

/** The identity of a living process, or `undefined` when there is none with this pid (a zombie counts as none). */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = process.platform === 'linux' ? await linuxStartTime(pid) : await portableStartTime(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** True while exactly this process lives. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(identity.pid))?.startTime === identity.startTime;
}

/** proc_pid_stat(5): the command in parentheses may hold anything, so fields are counted from the last one; 3 is the state, 22 the start. */
async function linuxStartTime(pid: number): Promise<string | undefined> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

async function portableStartTime(pid: number): Promise<string | undefined> {
  const [program, args] =
    process.platform === 'win32'
      ? (['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`]] as const)
      : (['ps', ['-o', 'lstart=', '-p', String(pid)]] as const);
  try {
    return (await run(program, args)).stdout.trim() || undefined;
  } catch {
    // Both programs exit non-zero for a pid that does not exist.
    return undefined;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
