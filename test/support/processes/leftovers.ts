import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process of a data directory, or below one. */
export interface FoundProcess {
  pid: number;
  /** As started, separated by spaces. */
  command: string;
}

interface Entry extends FoundProcess {
  parent: number;
  folder: string;
}

/**
 * Every process that belongs to a data directory: it was told about it (`--home`), it works in it, or it was started by such
 * a one (a game server whose folder is elsewhere). Linux only, from /proc; empty elsewhere.
 */
export function processesOf(home: string): FoundProcess[] {
  const all = everyProcess();
  const found = new Set(all.filter((p) => p.command.split(' ').includes(home) || isBelow(p.folder, home)));
  // Children of children: parents may come later in the list than their children.
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    const parents = new Set([...found].map((p) => p.pid));
    for (const p of all) if (parents.has(p.parent)) found.add(p);
  }
  return [...found].filter((p) => p.pid !== process.pid).map(({ pid, command }) => ({ pid, command }));
}

function isBelow(folder: string, home: string): boolean {
  return folder === home || folder.startsWith(`${home}/`);
}

function everyProcess(): Entry[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        // proc_pid_stat(5): the program's name, in parentheses, may hold anything; state and parent follow it.
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(pid), parent: Number(parent), command, folder: readlinkSync(`/proc/${pid}/cwd`) }];
      } catch {
        return []; // It ended while we looked, or belongs to somebody else.
      }
    });
}
