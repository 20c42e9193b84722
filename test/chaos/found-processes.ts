import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { type FoundProcess, processesOf } from '../support/processes/leftovers.ts';
import type { Role } from './steps.ts';

const COMMANDS: Readonly<Record<Role, RegExp>> = {
  daemon: /\/daemon\/main\.js/,
  gateway: /\/gateway\/main\.js/,
  jobs: /\/workers\/jobs\/main\.js/,
  supervisor: /\/workers\/supervisor\/main\.js/,
  game: /\/workers\/demo\/main\.js| MiniServer /,
};

/** The living processes of a data directory that are of this kind; a supervisor's and a game's of the server `id`, or of any. Linux only. */
export function processesAs(role: Role, { home, id }: { home: string; id?: string }): FoundProcess[] {
  return processesOf(home).filter(({ pid, command }) => {
    if (!COMMANDS[role].test(command)) return false;
    if (id === undefined || (role !== 'supervisor' && role !== 'game')) return true;
    return role === 'supervisor' ? command.endsWith(` ${id}`) : folderOf(pid) === path.join(home, 'instances', id);
  });
}

/** Whether a game is one that outlives its terminal. */
export function isJvm(command: string): boolean {
  return command.includes(' MiniServer ');
}

/** Whose child it is; `undefined`: it is gone. */
export function parentOf(pid: number): number | undefined {
  try {
    // proc_pid_stat(5): the name, in parentheses, may hold anything; state and parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // It has just ended.
  }
}
