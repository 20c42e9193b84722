import { readdirSync, readFileSync } from 'node:fs';

/** One process of a game (proc_pid_stat(5)). */
export interface ProcessSample {
  pid: number;
  /** CPU time since its start, clock ticks. */
  cpuTicks: number;
  /** Resident memory, KiB. */
  residentKib: number;
}

/** A living process, at a moment. */
export interface FoundProcess {
  pid: number;
  /** Its start, clock ticks since boot: pids are reused, but not together with it. */
  startTicks: number;
  /** The name of its program, at most 15 characters, without arguments. */
  command: string;
  parent: number;
  group: number;
  session: number;
  /** The device number of its controlling terminal; 0: none. */
  terminal: number;
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

/** Returns every process but zombies; empty without /proc. It is only for the end of a game, because it reads them all. */
export function everyProcess(): FoundProcess[] {
  return list('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => findProcess(Number(entry)))
    .filter((found) => found !== undefined);
}

/** Returns a process, or `undefined` if it is gone or a zombie. */
export function findProcess(pid: number): FoundProcess | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  if (stat === '' || fields[STATE] === 'Z' || fields[STATE] === 'X') return undefined;
  const number = (field: number) => Number(fields[field]);
  return {
    pid,
    startTicks: number(START),
    command: printable(stat.slice(stat.indexOf('(') + 1, end)),
    parent: number(PARENT),
    group: number(GROUP),
    session: number(SESSION),
    terminal: number(TERMINAL),
  };
}

/** True for a process that sleeps until something happens, and for one that is gone. */
export function isWaiting(pid: number): boolean {
  const state = statFields(pid)?.[STATE];
  return state === undefined || state === 'S' || state === 'Z';
}

/** True for a process that SIGSTOP has stopped, and for one that is gone. */
export function isStopped(pid: number): boolean {
  const state = statFields(pid)?.[STATE];
  return state === undefined || state === 'T' || state === 'Z';
}

/** Returns the arguments of a process, its program first; none if it is gone. */
export function commandLineOf(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`).split('\0');
}

/** Returns the members of a process group; empty without /proc. */
export function groupMembers(group: number): FoundProcess[] {
  return everyProcess().filter((found) => found.group === group);
}

/** Returns the processes of `all` that descend from one of `roots`, without these. */
export function descendantsOf(roots: readonly FoundProcess[], all: readonly FoundProcess[]): FoundProcess[] {
  const family = new Set(roots.map(({ pid }) => pid));
  // Repeated, because a child may come before its parent.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const own = new Set(roots);
  return all.filter((found) => family.has(found.pid) && !own.has(found));
}

/** A program chooses its own name. Some put options there, which may hold a password. */
function printable(name: string): string {
  return name.replace(/ -.*$/s, '').replaceAll(/[^\x20-\x7e]/g, '?');
}

// Positions after the closing parenthesis of the command, which may contain anything: field 3 of the manual is 0 here.
const STATE = 0;
const PARENT = 1;
const GROUP = 2;
const SESSION = 3;
const TERMINAL = 4;
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const START = 19;

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

/** Returns the children of a process, of all its threads. */
export function childrenOf(pid: number): number[] {
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
