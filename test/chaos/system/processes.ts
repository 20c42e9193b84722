import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { type FoundProcess, processesOf } from '../../support/processes/leftovers.ts';
import type { Role } from '../steps/steps.ts';

const COMMANDS: Readonly<Record<Role, RegExp>> = {
  daemon: /\/daemon\/main\.js/,
  gateway: /\/gateway\/main\.js/,
  jobs: /\/workers\/jobs\/main\.js/,
  supervisor: /\/workers\/supervisor\/main\.js/,
  game: /\/workers\/demo\/main\.js| MiniServer |bash [^ ]*native-game\.sh/,
};

/**
 * Returns the running processes of this kind in a data directory. With `id`, only the supervisor or game process of that server. `found`
 * are the data directory's processes if the caller has listed them already. Linux only.
 */
export function processesAs(
  role: Role,
  { home, id, found = processesOf(home) }: { home: string; id?: string; found?: FoundProcess[] },
): FoundProcess[] {
  return found.filter(({ pid, command }) => {
    if (!COMMANDS[role].test(command)) return false;
    if (id === undefined || (role !== 'supervisor' && role !== 'game')) return true;
    return role === 'supervisor' ? command.endsWith(` ${id}`) : folderOf(pid) === path.join(home, 'instances', id);
  });
}

/** Whether a game process has a world that can be locked. */
export function hasWorld(command: string): boolean {
  return command.includes('/workers/demo/');
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // It has ended since.
  }
}
