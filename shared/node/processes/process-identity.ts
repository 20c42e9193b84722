import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../errors/error-code.ts';

const run = promisify(execFile);

/** Identifies one process for ever: a pid is reused, but not with the same start time. */
export interface ProcessIdentity {
  pid: number;
  /** Comparable only for equality: clock ticks since boot on Linux, a date elsewhere. */
  startTime: string;
  /** The boot of the machine, if it has an id: after a reboot the same pid and ticks may occur again. */
  boot?: string;
}

/**
 * Returns the identity of a living process, or `undefined` if none has this pid (a zombie does not count). Throws if that cannot be checked, such
 * as for lack of file descriptors.
 */
export async function identifyProcess(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<ProcessIdentity | undefined> {
  const startTime = platform === 'linux' ? await linuxStartTime(pid) : await portableStartTime(pid, platform);
  if (startTime === undefined) return undefined;
  const boot = bootOfMachine();
  return { pid, startTime, ...(boot !== undefined && { boot }) };
}

/** Returns whether exactly this process lives. Throws like `identifyProcess`. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const now = await identifyProcess(identity.pid);
  return now !== undefined && isSameProcess(now, identity);
}

/** Returns false for a process from before the last boot. */
export function isOfThisBoot({ boot }: Pick<ProcessIdentity, 'boot'>): boolean {
  const now = bootOfMachine();
  return boot === undefined || now === undefined || boot === now;
}

/** Returns whether a record with this boot was written since the last boot. Without an id, the age of its file decides. */
export async function isFileOfThisBoot(file: string, { boot }: { boot: string | undefined }): Promise<boolean> {
  if (boot !== undefined) return isOfThisBoot({ boot });
  const { mtimeMs } = await stat(file);
  return mtimeMs >= Date.now() - uptime() * 1000;
}

/** Returns whether both are the same process. Records of earlier versions have no boot. */
export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  const isSameBoot = one.boot === undefined || other.boot === undefined || one.boot === other.boot;
  return isSameBoot && one.pid === other.pid && one.startTime === other.startTime;
}

/** Returns the identity in a parsed record, which may have other members; `undefined` if there is none. */
export function identityIn(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, startTime, boot } = value as Partial<ProcessIdentity>;
  if (typeof pid !== 'number' || typeof startTime !== 'string') return undefined;
  return { pid, startTime, ...(typeof boot === 'string' && { boot }) };
}

let boot: { id: string | undefined } | undefined;

/** Returns the id of the machine's boot, if it has one. random(4): another value for each boot. */
export function bootOfMachine(): string | undefined {
  boot ??= { id: process.platform === 'linux' ? linuxBoot() : undefined }; // start times are dates elsewhere
  return boot.id;
}

function linuxBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined; // not readable: pid and ticks have to suffice
  }
}

/** proc_pid_stat(5): the command in parentheses may contain anything, so fields are counted from the last one. 3 is the state, 22 the start. */
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

/** In UTC and the C locale, because another process compares it later, perhaps in another time zone. */
async function portableStartTime(pid: number, platform: NodeJS.Platform): Promise<string | undefined> {
  const [program, args] =
    platform === 'win32'
      ? (['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]] as const)
      : (['ps', ['-o', 'lstart=', '-p', String(pid)]] as const);
  try {
    const { stdout } = await run(program, args, { env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } });
    return stdout.trim() || undefined;
  } catch (error) {
    // Both programs exit non-zero if no process has this pid. Other failures mean nothing.
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ESRCH');
}
