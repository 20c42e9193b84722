import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import type { Home } from '../../../shared/node/files/home.ts';
import { readKnownProcesses } from './known-processes.ts';
import { everyProcess, type FoundProcess } from './process-tree.ts';

/** A process with this parent has lost its own. In user sessions of systemd that is not number 1. */
const isReaper = ({ pid, command }: FoundProcess) => pid === 1 || command === 'systemd';

/**
 * Returns processes that a game may have started although nothing proves it: of our user, started since the game, without a
 * parent, in our control group, and with their program, folder or open files in the server's folder. They may as well be a tool that
 * the owner left running there, so they are reported and never ended. Gamekeeper's own processes and those of other instances are not among
 * them. Linux only.
 */
export function findSuspects(folder: string, { sinceTicks, home }: { sinceTicks: number; home: Home }): FoundProcess[] {
  if (process.platform !== 'linux' || sinceTicks === 0) return [];
  const root = attempt(() => realpathSync(folder));
  if (root === undefined) return [];
  // A server may run as the owner of its folder.
  const users = [process.getuid?.(), attempt(() => statSync(root).uid)];
  const all = everyProcess();
  const reapers = new Set(all.filter(isReaper).map(({ pid }) => pid));
  const group = controlGroup('self');
  const suspects = all.filter(
    ({ pid, parent, startTicks }) =>
      pid !== process.pid &&
      startTicks >= sinceTicks &&
      reapers.has(parent) &&
      !reapers.has(pid) &&
      users.includes(attempt(() => statSync(`/proc/${pid}`).uid)) &&
      controlGroup(pid) === group &&
      uses(pid, root),
  );
  if (suspects.length === 0) return [];
  const isKnown = readKnownProcesses(home);
  return suspects.filter((found) => !isKnown(found));
}

function uses(pid: number, folder: string): boolean {
  const descriptors = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return ['cwd', 'root', 'exe', ...descriptors.map((name) => `fd/${name}`)].some((link) => {
    const target = attempt(() => readlinkSync(`/proc/${pid}/${link}`));
    return target === folder || target?.startsWith(`${folder}/`);
  });
}

function controlGroup(pid: number | 'self'): string {
  return textOf(`/proc/${pid}/cgroup`);
}

function textOf(file: string): string {
  return attempt(() => readFileSync(file, 'utf8')) ?? '';
}

/** Returns nothing for a process that ended meanwhile, or that may not be read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
