import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type BenchRow, inTurns, ROUNDS, ratioRow } from '../row.ts';
import { type BenchGamekeeper, cpuSecondsOf } from '../running-gamekeeper.ts';
import { command, FLOOD_LINES, FLOOD_MB, flood, LINE_BYTES, type Subject, startViewer } from './flooder.ts';

const BARE_FAN_OUT = path.join(import.meta.dirname, 'bare-fan-out.ts');
const VIEWERS = 100;
const LINES_PER_SECOND = 100_000;
const SECONDS = 5;
const MOST_PERCENT = 40;
/** Of viewers who are slow, half the speed of the console. */
const SLOW_BYTES_PER_SECOND = (LINES_PER_SECOND * LINE_BYTES) / 2;
const MOST_FOR_SLOW = 1.5;
/** Their own work takes no more than a small part of two processors. */
const SLOW_BESIDE_FLOOD = 10;
const LEAST_SPEED = 0.9;

/** C4: many viewers must cost little more than writing the same bytes to as many sockets, also if they cannot keep up (C4b). */
export async function measureFanOut(subject: Subject, cleanup: AsyncDisposableStack): Promise<BenchRow[]> {
  const { gamekeeper } = subject;
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      bare: bareFanOut(),
      fast: await fanOut(gamekeeper, cleanup),
      slow: await fanOut(gamekeeper, cleanup, SLOW_BYTES_PER_SECOND),
    });
  return [
    ratioRow({
      id: 'C4',
      what: `CPU of the gateway with ${VIEWERS} viewers of a console of 10 MB/s`,
      unit: '% of a core',
      comparedWith: `socket.write of the same bytes to ${VIEWERS} sockets`,
      turns: rounds.map(({ bare, fast }) => ({ ours: fast, theirs: bare })),
      goal: { valueAtMost: MOST_PERCENT },
    }),
    ratioRow({
      id: 'C4b',
      what: `CPU of the gateway with ${VIEWERS} viewers who read at half that speed`,
      unit: '% of a core',
      comparedWith: 'with viewers who keep up',
      turns: rounds.map(({ fast, slow }) => ({ ours: slow, theirs: fast })),
      goal: { atMost: MOST_FOR_SLOW },
    }),
    await measureBesideSlow(subject, cleanup),
  ];
}

/** Resolves to the gateway's CPU time in percent of a core. `bytesPerSecond`: how fast all viewers but two read. */
async function fanOut(
  gamekeeper: BenchGamekeeper,
  cleanup: AsyncDisposableStack,
  bytesPerSecond?: number,
): Promise<number> {
  // One credential may open 64 sockets, so two tokens share the viewers.
  const share = { count: VIEWERS / 2, bytesPerSecond };
  const viewers = [
    await startViewer(cleanup, gamekeeper, share),
    await startViewer(cleanup, gamekeeper, { ...share, authorization: await gamekeeper.mint() }),
  ] as const;
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const lines = LINES_PER_SECOND * SECONDS;
  const before = cpuSecondsOf(gateway);
  await command(viewers[0], `pace ${lines} ${LINES_PER_SECOND}`, lines);
  const percent = ((cpuSecondsOf(gateway) - before) / SECONDS) * 100;
  for (const viewer of viewers) viewer.kill();
  return percent;
}

/** The same without Gamekeeper. */
function bareFanOut(): number {
  const args = [VIEWERS, LINES_PER_SECOND * LINE_BYTES, SECONDS].map(String);
  const cpuSeconds = Number(execFileSync(process.execPath, [BARE_FAN_OUT, ...args], { encoding: 'utf8' }));
  return (cpuSeconds / SECONDS) * 100;
}

/** Slow viewers must not slow those who keep up. */
async function measureBesideSlow(subject: Subject, cleanup: AsyncDisposableStack): Promise<BenchRow> {
  return ratioRow({
    id: 'C4b',
    what: `a flood of 1,000,000 lines beside ${SLOW_BESIDE_FLOOD} viewers who read 5 MB/s: speed of those who keep up`,
    unit: 'MB/s',
    comparedWith: 'without them',
    turns: await inTurns(
      () => speedOfFlood(subject, cleanup, 0),
      () => speedOfFlood(subject, cleanup, SLOW_BESIDE_FLOOD),
    ),
    goal: { atLeast: LEAST_SPEED },
  });
}

/** Resolves to MB/s, with two viewers who keep up. `slow`: how many do not. */
async function speedOfFlood(
  { gamekeeper, viewer }: Subject,
  cleanup: AsyncDisposableStack,
  slow: number,
): Promise<number> {
  const others = await startViewer(cleanup, gamekeeper, { count: 1 + slow, bytesPerSecond: SLOW_BYTES_PER_SECOND });
  const start = performance.now();
  await flood(viewer, FLOOD_LINES);
  const seconds = (performance.now() - start) / 1000;
  others.kill();
  return FLOOD_MB / seconds;
}
