/** Memory (target M1): twenty idle running instances. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf } from '../support/processes/leftovers.ts';
import { startIdleInstances } from './idle-instances.ts';
import type { BenchRow } from './row.ts';
import { startForBench } from './running-gamekeeper.ts';

const INSTANCES = 20;
/** Longer than a supervisor takes to give back what its start has taken. */
const SETTLE_MS = 12_000;
const MOST_PRIVATE_MIB = 14;
const MOST_SUPERVISORS_MIB = 270;
const MOST_OTHERS_MIB = 150;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  await startIdleInstances(gamekeeper, INSTANCES);
  // Jobs runs from its first need on: one backup.
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
    row('the largest of 20 supervisors, private', largest, MOST_PRIVATE_MIB),
    row('20 supervisors together, PSS', ofAll(supervisors), MOST_SUPERVISORS_MIB),
    row('daemon, gateway and jobs together, PSS', ofAll(others), MOST_OTHERS_MIB),
  ];
}

/** MiB, from proc_pid_smaps_rollup(5). */
function memoryOf(pid: number): { private: number; pss: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  return { private: of('Private_Clean') + of('Private_Dirty'), pss: of('Pss') };
}

function row(what: string, mib: number, mostMib: number): BenchRow {
  return {
    id: 'M1',
    what,
    figure: Math.round(mib * 10) / 10,
    unit: 'MiB',
    goal: `at most ${mostMib}`,
    pass: mib <= mostMib,
  };
}
