import { readdirSync, readFileSync } from 'node:fs';

/** One process of a game (proc_pid_stat(5)). */
export interface ProcessSample {
  pid: number;
  /** CPU time since its start, clock ticks. */
  cpuTicks: number;
  /** Resident memory, KiB. */
  residentKib: number;
}

/** Clock ticks per second in everything that Linux reports to programs (`USER_HZ`). */
export const TICKS_PER_SECOND = 100;

// Reads of /proc come from memory and never wait for a disk. Synchronous reads save the threads (and their memory) of asynchronous ones, and
// as UTF-8 Node reads small files without a 64 KiB buffer for each.

/**
 * Returns a process and its descendants; nothing if it is gone, or not on Linux. Descendants are found from the parent, thread by thread,
 * with a few dozen small reads for a Java server; a search through all processes would take hundreds.
 */
export function sampleProcessTree(root: number): ProcessSample[] {
  const samples: ProcessSample[] = [];
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const sample = sampleProcess(pid);
    if (sample === undefined) continue;
    samples.push(sample);
    waiting.push(...childrenOf(pid));
  }
  return samples;
}

/** Returns the processes of a session without its leader and zombies. Reads every process, so it is only for the end of a game. */
export function sessionMembers(session: number): number[] {
  return everyPid().filter((pid) => {
    const fields = statFields(pid);
    return pid !== session && fields?.[SESSION] === String(session) && fields[STATE] !== 'Z';
  });
}

export function everyPid(): number[] {
  return list('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

// Positions after the closing parenthesis of the command, which may contain anything: field 3 of the manual is 0 here.
const STATE = 0;
const SESSION = 3;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

function sampleProcess(pid: number): ProcessSample | undefined {
  const fields = statFields(pid);
  if (fields === undefined) return undefined;
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return {
    pid,
    cpuTicks: Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]),
    residentKib: Number(resident ?? 0), // a zombie has none
  };
}

function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

function statFields(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns nothing for a process that ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
