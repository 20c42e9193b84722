/** M1: memory of all processes with 20 idle running instances. Supervisors must be small, because there is one per server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf } from '../../support/processes/leftovers.ts';
import { atMost, type BenchRow, withReference } from '../row.ts';
import { startForBench } from '../running-gamekeeper.ts';
import { startIdleInstances } from './idle-instances.ts';

const INSTANCES = 20;
/** Longer than a supervisor takes to release the memory that it needed to start. Milliseconds. */
const SETTLE_MS = 12_000;
const MOST_PRIVATE_MIB = 14;
const MOST_SUPERVISORS_MIB = 270;
const MOST_OTHERS_MIB = 150;

export async function run(): Promise<BenchRow[]> {
  const bare = await bareNode();
  await using cleanup = new AsyncDisposableStack();
  const gamekeeper = await startForBench(cleanup);
  await startIdleInstances(gamekeeper, INSTANCES);
  // The jobs process starts with the first job.
  await gamekeeper.api('POST', '/instances/idle-1/backup');
  await sleep(SETTLE_MS);

  const processes = processesOf(gamekeeper.home);
  const pidsOf = (program: RegExp) => processes.filter(({ command }) => program.test(command)).map(({ pid }) => pid);
  const supervisors = memoryOf(pidsOf(/workers\/supervisor/));
  const others = memoryOf(pidsOf(/daemon\/main|gateway\/main|workers\/jobs/));
  return [
    withReference(
      atMost('M1', `the largest of ${INSTANCES} supervisors, private memory`, supervisors.largest, {
        unit: 'MiB',
        most: MOST_PRIVATE_MIB,
      }),
      'Node.js without a program',
      bare.largest,
    ),
    withReference(
      atMost('M1', `${INSTANCES} supervisors together, PSS`, supervisors.together, {
        unit: 'MiB',
        most: MOST_SUPERVISORS_MIB,
      }),
      'as many of Node.js without a program',
      bare.together,
    ),
    atMost('M1', 'daemon, gateway and jobs together, PSS', others.together, { unit: 'MiB', most: MOST_OTHERS_MIB }),
  ];
}

/** What as many processes need that do nothing. */
async function bareNode(): Promise<Memory> {
  const children = Array.from({ length: INSTANCES }, () =>
    spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000_000)'], { stdio: 'ignore' }),
  );
  await sleep(SETTLE_MS);
  const memory = memoryOf(children.map(({ pid }) => pid!));
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => once(child, 'exit')));
  return memory;
}

/** MiB. */
interface Memory {
  /** The most private memory that one process has. */
  readonly largest: number;
  /** Memory that several processes share counts once. */
  readonly together: number;
}

/** Reads /proc/<pid>/smaps_rollup, see proc_pid_smaps_rollup(5). */
function memoryOf(pids: readonly number[]): Memory {
  const all = pids.map((pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
    return { private: of('Private_Clean') + of('Private_Dirty'), pss: of('Pss') };
  });
  return {
    largest: Math.max(...all.map((one) => one.private)),
    together: all.reduce((sum, { pss }) => sum + pss, 0),
  };
}
