import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Gamekeeper } from './gamekeeper.ts';
import { processesOf } from './leftovers.ts';

/** Values of a process from /proc (Linux only). */
export interface WatchedProcess {
  readonly pid: number;
  /** Resident memory in MiB. */
  memoryMib(): number;
  /** Number of its open sockets of any kind. */
  sockets(): number;
}

/** Finds the process of a Gamekeeper whose command line matches, such as `/gateway\/main/`. */
export function watchedProcess({ home }: Gamekeeper, command: RegExp): WatchedProcess {
  const found = processesOf(home).find((candidate) => command.test(candidate.command));
  if (!found) throw new Error(`No process matches ${command}.`);
  const { pid } = found;
  return {
    pid,
    memoryMib: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    sockets: () => readdirSync(`/proc/${pid}/fd`).filter((fd) => targetOf(pid, fd).startsWith('socket:')).length,
  };
}

function targetOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return ''; // It was closed since it was listed.
  }
}
