import t from 'tap';
import { slowestFiles, tally } from '../../../packaging/testing/summary.ts';

const file = (passed: number, failed = 0, skipped = 0) => ({ totals: { passed, failed, skipped } });

t.test('the last line has the totals of all files', async (t) => {
  const { ok, lines } = tally([file(2), file(3)], { ci: true });
  t.ok(ok);
  t.same(lines.slice(-2), ['All tests passed.', '5 passed, 0 failed']);
});

t.test('one failure fails the run', async (t) => {
  const { ok, lines } = tally([file(2), file(3, 1)], { ci: false });
  t.notOk(ok);
  t.same(lines.slice(-2), ['Some tests FAILED.', '5 passed, 1 failed']);
});

t.test('a skipped test fails the run in CI only', async (t) => {
  t.match(tally([file(2, 0, 1)], { ci: false }), { ok: true });
  const { ok, lines } = tally([file(2, 0, 1)], { ci: true });
  t.notOk(ok);
  t.ok(lines.includes('1 skipped, which with CI=true counts as failed.'));
  t.equal(lines.at(-1), '2 passed, 1 failed');
});

t.test('a run without assertions fails', async (t) => {
  t.notOk(tally([], { ci: false }).ok);
  t.notOk(tally([file(0)], { ci: false }).ok);
});

t.test('the ten slowest files are named, slowest first', async (t) => {
  const results = Array.from({ length: 12 }, (_, n) => ({
    file: `test/${n}.test.ts`,
    ms: (n + 1) * 1_000,
    cpuMs: 500,
  }));
  const lines = slowestFiles(results);
  t.equal(lines.length, 12);
  t.same(lines.slice(0, 4), [
    '',
    'Slowest files, of 6 s of CPU time in all:',
    '   12.0 s     0.5 s CPU  test/11.test.ts',
    '   11.0 s     0.5 s CPU  test/10.test.ts',
  ]);
  t.same(slowestFiles(results.slice(0, 1)), [], 'a single file needs no list');
});
