/** The console (targets C1 to C5, M2): a flood from a terminal to viewers, beside a C program and node-pty reading the same. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  command,
  compile,
  flood,
  type Programs,
  startFlooder,
  startStalledViewer,
  startViewer,
  temporaryFolder,
} from './console/flooder.ts';
import type { BenchRow } from './row.ts';
import { type BenchGamekeeper, cpuSecondsOf, residentMibOf, startForBench } from './running-gamekeeper.ts';
import { writeRegions } from './sample-world.ts';

const HERE = path.join(import.meta.dirname, 'console');
const FLOOD_LINES = 1_000_000;
const LINE_BYTES = 100;
const FLOOD_MB = (FLOOD_LINES * LINE_BYTES) / 1e6;
const ROUNDS = 3;
const PACED_PER_SECOND = 1_000;
const PACED_SECONDS = 10;
const FAN_OUT_VIEWERS = 100;
const FAN_OUT_LINES_PER_SECOND = 100_000;
const FAN_OUT_SECONDS = 10;
const STALLED_SECONDS = 60;
const SOAK_MB = 5_000;
const BACKUP_BYTES = 1024 * 1024 * 1024;
const HEALTH_EVERY_MS = 5;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const programs = compile(cleanup);
  const gamekeeper = await startForBench(cleanup);
  const console = await startFlooder(gamekeeper, programs.flood);
  const viewer = await startViewer(cleanup, gamekeeper, 1);
  await flood(gamekeeper, viewer, 100_000);

  return [
    ...(await floods(gamekeeper, viewer, programs, console)),
    ...(await healthDuringFlood(gamekeeper, viewer, cleanup)),
    await delays(gamekeeper, viewer),
    await fanOut(gamekeeper, cleanup),
    ...(await stalledViewer(gamekeeper, viewer, cleanup)),
    await soak(gamekeeper, viewer, console),
  ];
}

/** C1. */
async function floods(
  gamekeeper: BenchGamekeeper,
  viewer: ChildProcess,
  programs: Programs,
  supervisor: number,
): Promise<BenchRow[]> {
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [bytes = 0, seconds = 0] = execFileSync(programs.reader, [programs.flood, 'now', String(FLOOD_LINES)], {
      encoding: 'utf8',
    })
      .split(' ')
      .map(Number);
    const bare = JSON.parse(
      execFileSync(
        process.execPath,
        [path.join(HERE, 'bare-node-pty.ts'), programs.flood, 'now', String(FLOOD_LINES)],
        {
          encoding: 'utf8',
        },
      ),
    ) as { cpuSeconds: number };
    const before = cpuSecondsOf(supervisor) + cpuSecondsOf(gateway);
    const start = performance.now();
    const seen = await flood(gamekeeper, viewer, FLOOD_LINES);
    rounds.push({
      ours: FLOOD_MB / ((performance.now() - start) / 1000),
      theirs: bytes / 1e6 / seconds,
      cpu: cpuSecondsOf(supervisor) + cpuSecondsOf(gateway) - before,
      bareCpu: bare.cpuSeconds,
      wrong: seen.wrong,
    });
  }
  const speed = median(rounds, ({ ours, theirs }) => ours / theirs);
  const cost = median(rounds, ({ cpu, bareCpu }) => cpu / bareCpu);
  const wrong = rounds.reduce((sum, round) => sum + round.wrong, 0);
  return [
    {
      id: 'C1',
      what: `lines lost, doubled or out of order in ${ROUNDS} floods`,
      figure: wrong,
      unit: 'lines',
      goal: 'none',
      pass: wrong === 0,
    },
    {
      id: 'C1',
      what: 'flood of 1,000,000 lines, terminal to viewer',
      figure: rounded(speed.ours),
      unit: 'MB/s',
      comparedWith: 'C program reading the same terminal',
      reference: rounded(speed.theirs),
      ratio: rounded(speed.ours / speed.theirs),
      goal: 'at least 0.6',
      pass: speed.ours / speed.theirs >= 0.6,
    },
    {
      id: 'C1',
      what: 'CPU of supervisor and gateway for it',
      figure: rounded(cost.cpu),
      unit: 's',
      comparedWith: 'bare node-pty',
      reference: rounded(cost.bareCpu),
      ratio: rounded(cost.cpu / cost.bareCpu),
      goal: 'at most 3',
      pass: cost.cpu / cost.bareCpu <= 3,
    },
  ];
}

/** C2. */
async function healthDuringFlood(
  gamekeeper: BenchGamekeeper,
  viewer: ChildProcess,
  cleanup: AsyncDisposableStack,
): Promise<BenchRow[]> {
  const folder = temporaryFolder(cleanup);
  writeRegions(folder, BACKUP_BYTES);
  await gamekeeper.api('POST', '/instances', {
    name: 'Large',
    software: 'custom',
    directory: folder,
    launch: { command: ['./none'] },
  });
  const idle = await healthLatencies(gamekeeper, sleep(5_000));
  const busy = await healthLatencies(
    gamekeeper,
    Promise.all([
      gamekeeper.api('POST', '/instances/large/backup'),
      (async () => {
        for (let n = 0; n < 3; n++) await flood(gamekeeper, viewer, FLOOD_LINES);
      })(),
    ]),
  );
  const [quiet, loaded] = [percentile(idle, 99), percentile(busy, 99)];
  return [
    {
      id: 'C2',
      what: '/health p99 during floods and a backup',
      figure: rounded(loaded),
      unit: 'ms',
      comparedWith: 'idle',
      reference: rounded(quiet),
      ratio: rounded(loaded / quiet),
      goal: 'idle + 5 ms',
      pass: loaded <= quiet + 5,
    },
  ];
}

/** C3. */
async function delays(gamekeeper: BenchGamekeeper, viewer: ChildProcess): Promise<BenchRow> {
  const lines = PACED_PER_SECOND * PACED_SECONDS;
  const { delaysMs } = await command(gamekeeper, viewer, `pace ${lines} ${PACED_PER_SECOND}`, lines);
  const p99 = percentile(delaysMs, 99);
  return {
    id: 'C3',
    what: 'a line, server to viewer, at 1,000 lines/s, p99',
    figure: rounded(p99),
    unit: 'ms',
    goal: 'at most 20',
    pass: p99 <= 20,
  };
}

/** C4. */
async function fanOut(gamekeeper: BenchGamekeeper, cleanup: AsyncDisposableStack): Promise<BenchRow> {
  const bytesPerSecond = FAN_OUT_LINES_PER_SECOND * LINE_BYTES;
  const bare = Number(
    execFileSync(
      process.execPath,
      [path.join(HERE, 'bare-fan-out.ts'), ...[FAN_OUT_VIEWERS, bytesPerSecond, FAN_OUT_SECONDS].map(String)],
      {
        encoding: 'utf8',
      },
    ),
  );
  // Sixty-four sockets a credential: two tokens watch.
  const viewers = await Promise.all([
    startViewer(cleanup, gamekeeper, FAN_OUT_VIEWERS / 2),
    startViewer(cleanup, gamekeeper, FAN_OUT_VIEWERS / 2, true),
  ]);
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const lines = FAN_OUT_LINES_PER_SECOND * FAN_OUT_SECONDS;
  const before = cpuSecondsOf(gateway);
  await command(gamekeeper, viewers[0]!, `pace ${lines} ${FAN_OUT_LINES_PER_SECOND}`, lines);
  const share = ((cpuSecondsOf(gateway) - before) / FAN_OUT_SECONDS) * 100;
  for (const viewer of viewers) viewer.kill();
  return {
    id: 'C4',
    what: `gateway with ${FAN_OUT_VIEWERS} viewers of 10 MB/s`,
    figure: rounded(share),
    unit: '% of a core',
    comparedWith: 'bare socket.write to as many',
    reference: rounded((bare / FAN_OUT_SECONDS) * 100),
    ratio: rounded(share / ((bare / FAN_OUT_SECONDS) * 100)),
    goal: 'at most 40 %',
    pass: share <= 40,
  };
}

/** C5. */
async function stalledViewer(
  gamekeeper: BenchGamekeeper,
  viewer: ChildProcess,
  cleanup: AsyncDisposableStack,
): Promise<BenchRow[]> {
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const without = await floodsFor(gamekeeper, viewer, gateway);
  const stalled = await startStalledViewer(cleanup, gamekeeper, FLOOD_LINES);
  const readsOn = sleep(STALLED_SECONDS * 1000).then(() => stalled.readOn());
  const withIt = await floodsFor(gamekeeper, viewer, gateway);
  await readsOn;
  const { connected, lines, skipped, wrong } = await stalled.account(withIt.floods);
  const growth = withIt.mib - without.mib;
  return [
    {
      id: 'C5',
      what: `gateway's memory with a viewer that does not read for ${STALLED_SECONDS} s of floods`,
      figure: rounded(withIt.mib),
      unit: 'MiB',
      comparedWith: 'without that viewer',
      reference: rounded(without.mib),
      ratio: rounded(withIt.mib / without.mib),
      goal: 'at most 4 MiB more',
      pass: growth <= 4,
    },
    {
      id: 'C5',
      what: 'what the other viewer gets meanwhile',
      figure: rounded(withIt.mbPerSecond),
      unit: 'MB/s',
      comparedWith: 'without that viewer',
      reference: rounded(without.mbPerSecond),
      ratio: rounded(withIt.mbPerSecond / without.mbPerSecond),
      goal: 'nothing lost, at least 0.9',
      pass: withIt.wrong === 0 && withIt.mbPerSecond >= 0.9 * without.mbPerSecond,
    },
    {
      id: 'C5',
      what: `lines that the stalled viewer, ${connected ? 'still' : 'NOT'} connected, was never told about (${lines} read on, ${skipped} announced as rotated away)`,
      figure: wrong,
      unit: 'lines',
      goal: 'none, still connected',
      pass: connected && wrong === 0,
    },
  ];
}

/** M2. */
async function soak(gamekeeper: BenchGamekeeper, viewer: ChildProcess, supervisor: number): Promise<BenchRow> {
  await flood(gamekeeper, viewer, FLOOD_LINES);
  await sleep(1_000);
  const early = residentMibOf(supervisor);
  for (let mb = FLOOD_MB; mb < SOAK_MB; mb += FLOOD_MB) await flood(gamekeeper, viewer, FLOOD_LINES);
  await sleep(1_000);
  const late = residentMibOf(supervisor);
  return {
    id: 'M2',
    what: 'supervisor after 5 GB of console',
    figure: rounded(late),
    unit: 'MiB',
    comparedWith: 'after 100 MB',
    reference: rounded(early),
    ratio: rounded(late / early),
    goal: 'at most 10 MiB more',
    pass: late - early <= 10,
  };
}

/** Asks /health evenly until `work` is done; milliseconds, ascending. */
async function healthLatencies({ panel }: BenchGamekeeper, work: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let done = false;
  const finished = work.finally(() => {
    done = true;
  });
  while (!done) {
    const start = performance.now();
    await (await fetch(`${panel}/health`)).text();
    latencies.push(performance.now() - start);
    await sleep(HEALTH_EVERY_MS);
  }
  await finished;
  return latencies.sort((a, b) => a - b);
}

/** Floods for as long as a viewer is to be stalled; what the gateway's memory was at most. */
async function floodsFor(gamekeeper: BenchGamekeeper, viewer: ChildProcess, gateway: number) {
  const start = performance.now();
  let mib = 0;
  let floods = 0;
  let wrong = 0;
  const look = setInterval(() => {
    mib = Math.max(mib, residentMibOf(gateway));
  }, 100);
  for (; performance.now() < start + STALLED_SECONDS * 1000; floods++)
    wrong += (await flood(gamekeeper, viewer, FLOOD_LINES)).wrong;
  clearInterval(look);
  return { mib, floods, wrong, mbPerSecond: (floods * FLOOD_MB * 1000) / (performance.now() - start) };
}

function percentile(ascending: readonly number[], percent: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor((ascending.length * percent) / 100))] ?? Number.NaN;
}

function median<T>(items: readonly T[], by: (item: T) => number): T {
  return items.toSorted((a, b) => by(a) - by(b))[Math.floor(items.length / 2)]!;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
