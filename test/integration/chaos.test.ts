/** A minute of `npm run chaos`. `SEED=7` repeats the steps of a seed. */
import t from 'tap';
import { checkCounted } from '../chaos/checks/counted-lines.ts';
import { runChaos } from '../chaos/run-chaos.ts';
import { summaryOf } from '../chaos/summary.ts';
import { requireProgram } from '../support/machine/system-packages.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const SECONDS = 60;

t.test('the check finds missing and doubled lines and overlapping game processes', async (t) => {
  const [first, second, third] = [1, 2, 3].map((line) => `[12:00:00] [Count/INFO]: run 7 line ${line}`);
  const other = '[12:00:00] [Count/INFO]: run 8 line 1';
  t.same(checkCounted([first!, 'something else', second!, other]), { lines: 3, runs: 2, faults: [] });
  for (const wrong of [[first!, third!], [first!, first!], [second!], [first!, other, second!]])
    t.equal(checkCounted(wrong).faults.length, 1, wrong.join());
});

t.test(
  'nothing is lost, locked, incomplete or duplicated while processes are killed and paused',
  { skip: process.platform !== 'linux' && 'reads /proc' },
  async (t) => {
    if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
    t.comment(`SEED=${SEED}`);
    const report = await runChaos({ seed: SEED, seconds: SECONDS });
    for (const line of summaryOf(report)) t.comment(line);
    t.same(report.findings, []);
    if (report.findings.length > 0) t.comment(report.history.join('\n'));
    t.ok(report.countedLines > 0 && report.archives > 0 && report.tokens > 0, 'backups were acknowledged');
    t.ok(
      Object.values(report.kills).some((count) => count > 0),
      'something was killed',
    );
  },
);
