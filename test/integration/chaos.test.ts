/** Two minutes of `npm run chaos`, which runs longer and takes the steps of a seed again (SEED=7 does it here, too). */
import t from 'tap';
import { checkCounted } from '../chaos/checks/counted-lines.ts';
import { runChaos } from '../chaos/run-chaos.ts';
import { summaryOf } from '../chaos/summary.ts';
import { requireProgram } from '../support/machine/system-packages.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const SECONDS = 120;
/** What was killed often waits before it is started again; and then all of it is checked. Milliseconds. */
const AFTERWARDS_MS = 240_000;

t.setTimeout(SECONDS * 1000 + AFTERWARDS_MS);

t.test('a line that is missing or doubled, and a game that is there twice, would be found', async (t) => {
  const [first, second, third] = [1, 2, 3].map((line) => `[12:00:00] [Count/INFO]: run 7 line ${line}`);
  const other = '[12:00:00] [Count/INFO]: run 8 line 1';
  t.same(checkCounted([first!, 'something else', second!, other]), { lines: 3, runs: 2, faults: [] });
  for (const wrong of [[first!, third!], [first!, first!], [second!], [first!, other, second!]])
    t.equal(checkCounted(wrong).faults.length, 1, wrong.join());
});

t.test(
  'whatever is killed and paused while servers are used, nothing is lost, locked, half made or there twice',
  { skip: process.platform !== 'linux' && 'reads /proc' },
  async (t) => {
    if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
    t.comment(`SEED=${SEED}`);
    const report = await runChaos({ seed: SEED, seconds: SECONDS });
    for (const line of summaryOf(report)) t.comment(line);
    t.same(report.findings, []);
    if (report.findings.length > 0) t.comment(report.history.join('\n'));
    t.ok(report.countedLines > 0 && report.archives > 0 && report.tokens > 0, 'there was something to lose');
    t.ok(
      Object.values(report.kills).some((count) => count > 0),
      'and something was killed',
    );
  },
);
