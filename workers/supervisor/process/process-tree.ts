import { readdirSync, readFileSync } from 'node:fs';

/** One process of a game, as Linux shows it (proc_pid_stat(5)). */
export interface ProcessSample {
  pid: number;
  /** CPU time since its start, clock ticks. */
  cpuTicks: number;
  /** Resident memory, KiB. */
  residentKib: number;
}

/** Clock ticks per second in everything that Linux shows to programs (`USER_HZ`). */
export const TICKS_PER_SECOND = 100;

// Reads of /proc are served from memory: they never wait for a disk, and doing them at once spares the process the threads (and their
// memory) that asynchronous reads would take. As UTF-8, because then Node reads without a 64 KiB buffer for each small file.

/**
 * A process and its descendants. They are found by their parents, thread by thread, which takes a few dozen small reads for a Java
 * server; looking at every process of the machine would take hundreds. Empty when the process is gone, or not on Linux.
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

/** The processes of a session without its leader, zombies left out. For the end of a game: it looks at every process once. */
export function sessionMembers(session: number): number[] {
  return everyPid().filter((pid) => {
    const fields = statFields(pid);
    return pid !== session && fields?.[SESSION] === String(session) && fields[STATE] !== 'Z';
  });
}

/** Every process of the machine. */
export function everyPid(): number[] {
  return list('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

// Positions in what follows the command's closing parenthesis, which may hold anything: field 3 of the manual is 0 here.
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

/** Processes come and go between two looks: what is not there reads as empty. */
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
