/** A minute of `npm run chaos`. `SEED=7` repeats the steps of a seed, here as there. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import t from 'tap';
import { checkCounted } from '../chaos/checks/counted-lines.ts';
import { expected } from '../chaos/owner/ledger.ts';
import { runChaos } from '../chaos/run-chaos.ts';
import { summaryOf } from '../chaos/summary.ts';
import { SEED } from '../support/kills/seed.ts';
import { requireProgram } from '../support/machine/system-packages.ts';

const SECONDS = 60;

t.test('the check finds missing and doubled lines and overlapping game processes', async (t) => {
  const [first, second, third] = [1, 2, 3].map((line) => `[12:00:00] [Count/INFO]: run 7 line ${line}`);
  const other = '[12:00:00] [Count/INFO]: run 8 line 1';
  t.same(checkCounted([first!, 'something else', second!, other]), { lines: 3, runs: 2, faults: [] });
  for (const wrong of [[first!, third!], [first!, first!], [second!], [first!, other, second!]])
    t.equal(checkCounted(wrong).faults.length, 1, wrong.join());
});

t.test('a refused request takes back only itself, not an earlier one without an answer', async (t) => {
  const wish = expected('stopped');
  wish.ask('running');
  wish.ask('running');
  wish.refuse();
  t.same([...wish.possible], ['stopped', 'running'], 'it was refused because the server runs');
  wish.acknowledge('stopped');
  wish.ask('running');
  wish.refuse();
  t.same([...wish.possible], ['stopped']);
});

t.test('the command takes its seed from the same variable, and refuses one that is no number', async (t) => {
  const main = path.join(import.meta.dirname, '../chaos/main.ts');
  const env = { ...process.env, SEED: 'seven' };
  const { status, stderr } = spawnSync(process.execPath, [main, '1s'], { env, encoding: 'utf8', timeout: 20_000 });
  t.equal(status, 2, stderr);
  t.match(stderr, /SEED=<number>/);
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
