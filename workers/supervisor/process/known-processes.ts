import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Home } from '../../../shared/node/files/home.ts';
import { RUN_MARK } from './game-processes.ts';
import type { FoundProcess } from './process-tree.ts';

/** The members that records of processes have in common (run/*.json, run/*.process, run/instances/*). */
interface ProcessRecord {
  pid?: unknown;
  startTime?: unknown;
  mark?: unknown;
}

/**
 * Returns a function that tests whether a process is one of Gamekeeper, or of the game of any instance, which its own supervisor handles. The
 * records decide: a process can choose its name, its command line and its environment. Linux only.
 */
export function readKnownProcesses(home: Home): (found: FoundProcess) => boolean {
  const folders = [home.run, path.dirname(home.supervisorRecord('any'))];
  const records = folders.flatMap(recordsIn);
  const marks = new Set(records.flatMap(({ mark }) => (typeof mark === 'string' && mark !== '' ? [mark] : [])));
  const isRecorded = ({ pid, startTicks }: FoundProcess) =>
    records.some((one) => one.pid === pid && (one.startTime === undefined || one.startTime === String(startTicks)));
  return (found) => isRecorded(found) || marks.has(markOf(found.pid) ?? '');
}

function recordsIn(folder: string): ProcessRecord[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const record = attempt(() => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as unknown);
    return typeof record === 'object' && record !== null ? [record as ProcessRecord] : [];
  });
}

function markOf(pid: number): string | undefined {
  const variables = attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) ?? [];
  return variables.find((variable) => variable.startsWith(`${RUN_MARK}=`))?.slice(RUN_MARK.length + 1);
}

/** Returns nothing for what ended meanwhile or cannot be read, such as a socket. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
