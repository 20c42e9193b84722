import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that belongs to a data directory. */
export interface FoundProcess {
  pid: number;
  /** The command line, separated by spaces. */
  command: string;
}

interface Entry extends FoundProcess {
  parent: number;
  folder: string;
}

/**
 * Returns every process that belongs to a data directory: its command line names the directory, its working directory is below it, or its
 * parent is such a process (a game server whose folder is elsewhere). Read from /proc, so Linux only; empty elsewhere.
 */
export function processesOf(home: string): FoundProcess[] {
  const all = everyProcess();
  const found = new Set(all.filter((p) => p.command.split(' ').includes(home) || isBelow(p.folder, home)));
  // Repeated, because parents may follow their children in the list.
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
        // proc_pid_stat(5): the program's name, in parentheses, may contain anything; state and parent follow it.
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(pid), parent: Number(parent), command, folder: readlinkSync(`/proc/${pid}/cwd`) }];
      } catch {
        return []; // It has ended since, or belongs to another user.
      }
    });
}
