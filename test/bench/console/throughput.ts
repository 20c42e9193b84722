import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRow, ROUNDS, ratioRow, rounded } from '../row.ts';
import { cpuSecondsOf, residentMibOf } from '../running-gamekeeper.ts';
import { FLOOD_LINES, FLOOD_MB, flood, type Programs, type Subject } from './flooder.ts';

const BARE_NODE_PTY = path.join(import.meta.dirname, 'bare-node-pty.ts');
/** As much as a busy server prints in a day. */
const SOAK_MB = 5_000;
/** Wait before memory is read, so that memory used for the last lines can be freed. Milliseconds. */
const SETTLE_MS = 1_000;
const LEAST_SPEED = 0.75;
const MOST_CPU = 2.2;
const MOST_GROWTH_MIB = 10;

/** C1: no line may be lost, and the speed and CPU time must be near those of programs that only read the terminal. */
export async function measureFloods(
  { gamekeeper, viewer }: Subject,
  { programs, supervisor }: { programs: Programs; supervisor: number },
): Promise<BenchRow[]> {
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const tee = gamekeeper.pidOf(/^tee /);
  const cpuSeconds = () => cpuSecondsOf(supervisor) + cpuSecondsOf(gateway);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirSpeed = readWithC(programs);
    const theirCpu = readWithNodePty(programs);
    const [before, teeBefore] = [cpuSeconds(), cpuSecondsOf(tee)];
    const start = performance.now();
    const { wrong } = await flood(viewer, FLOOD_LINES);
    const speed = FLOOD_MB / ((performance.now() - start) / 1000);
    const cpu = cpuSeconds() - before;
    rounds.push({ speed, theirSpeed, cpu, theirCpu, withTee: cpu + cpuSecondsOf(tee) - teeBefore, wrong });
  }
  const wrong = rounds.reduce((sum, round) => sum + round.wrong, 0);
  return [
    {
      id: 'C1',
      what: `${ROUNDS} floods of 1,000,000 lines: lines lost, doubled or out of order`,
      value: wrong,
      unit: 'lines',
      goal: 'none',
      pass: wrong === 0,
    },
    ratioRow({
      id: 'C1',
      what: 'a flood of 1,000,000 lines: speed from terminal to viewer',
      unit: 'MB/s',
      comparedWith: 'a C program that reads the same terminal',
      turns: rounds.map(({ speed, theirSpeed }) => ({ ours: speed, theirs: theirSpeed })),
      goal: { atLeast: LEAST_SPEED },
    }),
    ratioRow({
      id: 'C1',
      what: 'a flood of 1,000,000 lines: CPU time of supervisor and gateway',
      unit: 's',
      comparedWith: 'node-pty alone',
      turns: rounds.map(({ cpu, theirCpu }) => ({ ours: cpu, theirs: theirCpu })),
      goal: { atMost: MOST_CPU },
    }),
    ratioRow({
      id: 'C1',
      what: 'the same with tee, which reads the terminal',
      unit: 's',
      comparedWith: 'node-pty alone',
      turns: rounds.map(({ withTee, theirCpu }) => ({ ours: withTee, theirs: theirCpu })),
      goal: 'none',
    }),
  ];
}

/** M2: the supervisor must not grow with the amount of console that it has handled. */
export async function measureSoak({ viewer }: Subject, supervisor: number): Promise<BenchRow> {
  await flood(viewer, FLOOD_LINES);
  await sleep(SETTLE_MS);
  const early = residentMibOf(supervisor);
  for (let mb = FLOOD_MB; mb < SOAK_MB; mb += FLOOD_MB) await flood(viewer, FLOOD_LINES);
  await sleep(SETTLE_MS);
  const late = residentMibOf(supervisor);
  return {
    id: 'M2',
    what: 'memory of the supervisor after 5 GB of console',
    value: rounded(late),
    unit: 'MiB',
    comparedWith: 'after 100 MB',
    reference: rounded(early),
    ratio: rounded(late / early),
    goal: `at most ${MOST_GROWTH_MIB} MiB more`,
    pass: late - early <= MOST_GROWTH_MIB,
  };
}

/** Returns MB/s. */
function readWithC({ reader, flood: program }: Programs): number {
  const printed = execFileSync(reader, [program, 'now', String(FLOOD_LINES)], { encoding: 'utf8' });
  const [bytes = 0, seconds = 0] = printed.split(' ').map(Number);
  return bytes / 1e6 / seconds;
}

/** Returns CPU seconds. */
function readWithNodePty({ flood: program }: Programs): number {
  const args = [BARE_NODE_PTY, program, 'now', String(FLOOD_LINES)];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return (JSON.parse(printed) as { cpuSeconds: number }).cpuSeconds;
}
