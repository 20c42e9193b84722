import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRow, median, rounded } from '../row.ts';
import { cpuSecondsOf, residentMibOf } from '../running-gamekeeper.ts';
import { FLOOD_LINES, FLOOD_MB, flood, type Programs, type Subject } from './flooder.ts';

const BARE_NODE_PTY = path.join(import.meta.dirname, 'bare-node-pty.ts');
const ROUNDS = 3;
/** As much as a busy server prints in a day. */
const SOAK_MB = 5_000;
/** Wait before memory is read, so that memory used for the last lines can be freed. Milliseconds. */
const SETTLE_MS = 1_000;
const LEAST_SPEED = 0.6;
const MOST_CPU = 3;
const MOST_GROWTH_MIB = 10;

/** C1: no line may be lost, and the speed and CPU time must be near those of programs that only read the terminal. */
export async function measureFloods(
  { gamekeeper, viewer }: Subject,
  { programs, supervisor }: { programs: Programs; supervisor: number },
): Promise<BenchRow[]> {
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const cpu = () => cpuSecondsOf(supervisor) + cpuSecondsOf(gateway);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = readWithC(programs);
    const bareCpu = readWithNodePty(programs);
    const before = cpu();
    const start = performance.now();
    const { wrong } = await flood(gamekeeper, viewer, FLOOD_LINES);
    const ours = FLOOD_MB / ((performance.now() - start) / 1000);
    rounds.push({ ours, theirs, cpu: cpu() - before, bareCpu, wrong });
  }
  const speed = median(rounds, ({ ours, theirs }) => ours / theirs);
  const cost = median(rounds, (round) => round.cpu / round.bareCpu);
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
    {
      id: 'C1',
      what: 'a flood of 1,000,000 lines: speed from terminal to viewer',
      value: rounded(speed.ours),
      unit: 'MB/s',
      comparedWith: 'a C program that reads the same terminal',
      reference: rounded(speed.theirs),
      ratio: rounded(speed.ours / speed.theirs),
      goal: `ratio at least ${LEAST_SPEED}`,
      pass: speed.ours / speed.theirs >= LEAST_SPEED,
    },
    {
      id: 'C1',
      what: 'a flood of 1,000,000 lines: CPU time of supervisor and gateway',
      value: rounded(cost.cpu),
      unit: 's',
      comparedWith: 'node-pty alone',
      reference: rounded(cost.bareCpu),
      ratio: rounded(cost.cpu / cost.bareCpu),
      goal: `ratio at most ${MOST_CPU}`,
      pass: cost.cpu / cost.bareCpu <= MOST_CPU,
    },
  ];
}

/** M2: the supervisor must not grow with the amount of console that it has handled. */
export async function measureSoak({ gamekeeper, viewer }: Subject, supervisor: number): Promise<BenchRow> {
  await flood(gamekeeper, viewer, FLOOD_LINES);
  await sleep(SETTLE_MS);
  const early = residentMibOf(supervisor);
  for (let mb = FLOOD_MB; mb < SOAK_MB; mb += FLOOD_MB) await flood(gamekeeper, viewer, FLOOD_LINES);
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
