import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../errors/error-code.ts';

const run = promisify(execFile);

/** A process beyond doubt: pids are used again, a pid with its start time is not. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque, comparable only for equality: clock ticks since boot on Linux, a date elsewhere. */
  startTime: string;
  /** Which start of the machine it belongs to, where the machine says that: after another one the same number and ticks may come again. */
  boot?: string;
}

/**
 * The identity of a living process, or `undefined` when there is none with this pid (a zombie counts as none). Throws where that cannot be
 * seen, for want of file descriptors maybe: that says nothing about the process.
 */
export async function identifyProcess(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<ProcessIdentity | undefined> {
  const startTime = platform === 'linux' ? await linuxStartTime(pid) : await portableStartTime(pid, platform);
  if (startTime === undefined) return undefined;
  const boot = await bootOfMachine();
  return { pid, startTime, ...(boot !== undefined && { boot }) };
}

/** True while exactly this process lives. Throws as `identifyProcess`. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const now = await identifyProcess(identity.pid);
  return now !== undefined && isSameProcess(now, identity);
}

/** False for a process of before the machine was started last, of which nothing can be left. */
export async function isOfThisBoot({ boot }: ProcessIdentity): Promise<boolean> {
  const now = await bootOfMachine();
  return boot === undefined || now === undefined || boot === now;
}

/** Whether both are the same process. A record of an earlier version does not say which start of the machine it is of. */
export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  const isSameBoot = one.boot === undefined || other.boot === undefined || one.boot === other.boot;
  return isSameBoot && one.pid === other.pid && one.startTime === other.startTime;
}

/** The identity that a parsed record holds, whatever else is in it; `undefined`: none. */
export function identityIn(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, startTime, boot } = value as Partial<ProcessIdentity>;
  if (typeof pid !== 'number' || typeof startTime !== 'string') return undefined;
  return { pid, startTime, ...(typeof boot === 'string' && { boot }) };
}

let boot: Promise<string | undefined> | undefined;

/** random(4): another value with each start of the machine. */
function bootOfMachine(): Promise<string | undefined> {
  boot ??=
    process.platform === 'linux'
      ? readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
          (id) => id.trim(),
          () => undefined, // hidden from us: then ticks and number have to do
        )
      : Promise.resolve(undefined); // a start time is a date there
  return boot;
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

/** In the time and the words of no place: another process asks later, after summer time has ended maybe, and compares. */
async function portableStartTime(pid: number, platform: NodeJS.Platform): Promise<string | undefined> {
  const [program, args] =
    platform === 'win32'
      ? (['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]] as const)
      : (['ps', ['-o', 'lstart=', '-p', String(pid)]] as const);
  try {
    const { stdout } = await run(program, args, { env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } });
    return stdout.trim() || undefined;
  } catch (error) {
    // Both programs exit non-zero for a pid that does not exist. One that could not be started, or was killed, has not looked.
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ESRCH');
}
