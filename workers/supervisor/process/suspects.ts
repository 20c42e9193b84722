import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { RUN_MARK } from './game-processes.ts';
import { everyProcess, type FoundProcess } from './process-tree.ts';

/** A process with this parent has lost its own. In user sessions of systemd that is not number 1. */
const isReaper = ({ pid, command }: FoundProcess) => pid === 1 || command === 'systemd';

/**
 * Returns processes that a game may have started although nothing proves it: of our user, started since the game, without a terminal and
 * without a parent, in our control group, and with their program, folder or open files in the server's folder. They may as well be a tool that
 * the owner left running there, so they are reported and never ended. Linux only.
 */
export function findSuspects(folder: string, sinceTicks: number): FoundProcess[] {
  if (process.platform !== 'linux' || sinceTicks === 0) return [];
  const root = attempt(() => realpathSync(folder));
  if (root === undefined) return [];
  const all = everyProcess();
  const reapers = new Set(all.filter(isReaper).map(({ pid }) => pid));
  const group = controlGroup('self');
  return all.filter(
    ({ pid, parent, terminal, startTicks }) =>
      pid !== process.pid &&
      startTicks >= sinceTicks &&
      terminal === 0 &&
      reapers.has(parent) &&
      !reapers.has(pid) &&
      attempt(() => statSync(`/proc/${pid}`).uid) === process.getuid?.() &&
      controlGroup(pid) === group &&
      !isOurs(pid) &&
      uses(pid, root),
  );
}

/** True for a process of Gamekeeper, such as jobs reading the folder, and for a game of any instance, which its own supervisor handles. */
function isOurs(pid: number): boolean {
  const programs = path.resolve(process.argv[1] ?? '', '../../..');
  const words = textOf(`/proc/${pid}/cmdline`).split('\0');
  const isProgram = words.some(
    (word) => word.startsWith(`${programs}/`) && /\/(?:daemon|gateway|workers)\//.test(word),
  );
  return isProgram || textOf(`/proc/${pid}/environ`).includes(`${RUN_MARK}=`);
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
