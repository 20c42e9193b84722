import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type BenchRow, rounded } from '../row.ts';
import { type BenchGamekeeper, cpuSecondsOf } from '../running-gamekeeper.ts';
import { command, LINE_BYTES, startViewer } from './flooder.ts';

const BARE_FAN_OUT = path.join(import.meta.dirname, 'bare-fan-out.ts');
const VIEWERS = 100;
const LINES_PER_SECOND = 100_000;
const SECONDS = 10;
const MOST_PERCENT = 40;

/** C4: many viewers must cost little more than writing the same bytes to as many sockets. */
export async function measureFanOut(gamekeeper: BenchGamekeeper, cleanup: AsyncDisposableStack): Promise<BenchRow> {
  const args = [VIEWERS, LINES_PER_SECOND * LINE_BYTES, SECONDS].map(String);
  const bareCpu = Number(execFileSync(process.execPath, [BARE_FAN_OUT, ...args], { encoding: 'utf8' }));
  // One credential may open 64 sockets, so two tokens share the viewers.
  const viewers = [
    await startViewer(cleanup, gamekeeper, VIEWERS / 2),
    await startViewer(cleanup, gamekeeper, VIEWERS / 2, await gamekeeper.mint()),
  ] as const;
  const gateway = gamekeeper.pidOf(/gateway\/main/);
  const lines = LINES_PER_SECOND * SECONDS;
  const before = cpuSecondsOf(gateway);
  await command(viewers[0], `pace ${lines} ${LINES_PER_SECOND}`, lines);
  const percent = ((cpuSecondsOf(gateway) - before) / SECONDS) * 100;
  const barePercent = (bareCpu / SECONDS) * 100;
  for (const viewer of viewers) viewer.kill();
  return {
    id: 'C4',
    what: `CPU of the gateway with ${VIEWERS} viewers of a console of 10 MB/s`,
    value: rounded(percent),
    unit: '% of a core',
    comparedWith: `socket.write of the same bytes to ${VIEWERS} sockets`,
    reference: rounded(barePercent),
    ratio: rounded(percent / barePercent),
    goal: `at most ${MOST_PERCENT} %`,
    pass: percent <= MOST_PERCENT,
  };
}
