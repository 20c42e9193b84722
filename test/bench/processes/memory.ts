/** M1: memory of all processes with 20 idle running instances. Supervisors must be small, because there is one per server. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf } from '../../support/processes/leftovers.ts';
import { atMost, type BenchRow } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { startIdleInstances } from './idle-instances.ts';

const INSTANCES = 20;
/** Longer than a supervisor takes to release the memory that it needed to start. Milliseconds. */
const SETTLE_MS = 12_000;
const MOST_PRIVATE_MIB = 14;
const MOST_SUPERVISORS_MIB = 270;
const MOST_OTHERS_MIB = 150;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  await startIdleInstances(gamekeeper, INSTANCES);
  // The jobs process starts with the first job.
  await gamekeeper.api('POST', '/instances/idle-1/backup');
  await sleep(SETTLE_MS);

  const processes = processesOf(gamekeeper.home);
  const supervisors = processes
    .filter(({ command }) => /workers\/supervisor/.test(command))
    .map(({ pid }) => memoryOf(pid));
  const others = processes
    .filter(({ command }) => /daemon\/main|gateway\/main|workers\/jobs/.test(command))
    .map(({ pid }) => memoryOf(pid));
  const ofAll = (memories: { pss: number }[]) => memories.reduce((sum, { pss }) => sum + pss, 0);
  const largest = Math.max(...supervisors.map((memory) => memory.private));
  return [
    atMost('M1', 'the largest of 20 supervisors, private memory', largest, { unit: 'MiB', most: MOST_PRIVATE_MIB }),
    atMost('M1', '20 supervisors together, PSS', ofAll(supervisors), { unit: 'MiB', most: MOST_SUPERVISORS_MIB }),
    atMost('M1', 'daemon, gateway and jobs together, PSS', ofAll(others), { unit: 'MiB', most: MOST_OTHERS_MIB }),
  ];
}

/** Returns MiB from /proc/<pid>/smaps_rollup, see proc_pid_smaps_rollup(5). */
function memoryOf(pid: number): { private: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  return { private: of('Private_Clean') + of('Private_Dirty'), pss: of('Pss') };
}
