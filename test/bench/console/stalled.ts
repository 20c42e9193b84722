import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRow, rounded } from '../row.ts';
import { residentMibOf } from '../running-gamekeeper.ts';
import { FLOOD_LINES, FLOOD_MB, flood, type Subject, startStalledViewer } from './flooder.ts';

const STALLED_SECONDS = 60;
const MEMORY_EVERY_MS = 100;
const MOST_GROWTH_MIB = 4;
const LEAST_SPEED = 0.9;

/** C5: a viewer that stops reading must cost neither memory nor the others' speed, and every line must later be accounted for. */
export async function measureStalledViewer(subject: Subject, cleanup: AsyncDisposableStack): Promise<BenchRow[]> {
  const without = await floodFor(STALLED_SECONDS, subject);
  const stalled = await startStalledViewer(cleanup, subject.gamekeeper);
  const resumed = sleep(STALLED_SECONDS * 1000).then(() => stalled.resume());
  const withIt = await floodFor(STALLED_SECONDS, subject);
  await resumed;
  const { connected, lines, skipped, wrong } = await stalled.account(withIt.floods);
  const speed = withIt.mbPerSecond / without.mbPerSecond;
  return [
    {
      id: 'C5',
      what: `memory of the gateway while a viewer does not read for ${STALLED_SECONDS} s of floods`,
      value: rounded(withIt.mib),
      unit: 'MiB',
      comparedWith: 'without that viewer',
      reference: rounded(without.mib),
      ratio: rounded(withIt.mib / without.mib),
      goal: `at most ${MOST_GROWTH_MIB} MiB more`,
      pass: withIt.mib - without.mib <= MOST_GROWTH_MIB,
    },
    {
      id: 'C5',
      what: 'speed of another viewer meanwhile',
      value: rounded(withIt.mbPerSecond),
      unit: 'MB/s',
      comparedWith: 'without that viewer',
      reference: rounded(without.mbPerSecond),
      ratio: rounded(speed),
      goal: `nothing lost, ratio at least ${LEAST_SPEED}`,
      pass: withIt.wrong === 0 && speed >= LEAST_SPEED,
      moreIsBetter: true,
    },
    {
      id: 'C5',
      what: `lines neither sent to that viewer nor announced as skipped (${lines} sent, ${skipped} skipped, ${connected ? 'still' : 'NOT'} connected)`,
      value: wrong,
      unit: 'lines',
      goal: 'none, still connected',
      pass: connected && wrong === 0,
    },
  ];
}

/** Floods the console for this time, and observes the gateway's highest memory use. */
async function floodFor(seconds: number, { gamekeeper, viewer }: Subject) {
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const start = performance.now();
  let mib = 0;
  let floods = 0;
  let wrong = 0;
  const timer = setInterval(() => {
    mib = Math.max(mib, residentMibOf(gateway));
  }, MEMORY_EVERY_MS);
  for (; performance.now() < start + seconds * 1000; floods++) wrong += (await flood(viewer, FLOOD_LINES)).wrong;
  clearInterval(timer);
  return { mib, floods, wrong, mbPerSecond: (floods * FLOOD_MB * 1000) / (performance.now() - start) };
}
