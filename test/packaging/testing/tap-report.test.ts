import t from 'tap';
import { readTotals, skippedLines } from '../../../packaging/testing/tap-report.ts';

const OUTPUT = `TAP version 14
# Subtest: compares with rcon
    # left out: "compares with rcon" needs the program rconclt
    1..0
ok 1 - compares with rcon
ok 2 - something # SKIP not here
# Subtest: prints what looks like totals
    # { total: 9, pass: 9 }
    ok 1 - should be equal
    1..1
ok 3 - prints what looks like totals # time=5ms

1..3
# { total: 4, pass: 1, fail: 1, skip: 1, todo: 1 }
# time=30ms
`;

t.test("returns tap's totals; a todo counts as skipped", async (t) => {
  t.same(readTotals(OUTPUT), { passed: 1, failed: 1, skipped: 2 });
});

t.test('returns no totals for a file that did not get to its end', async (t) => {
  t.equal(readTotals(OUTPUT.slice(0, OUTPUT.indexOf('1..3'))), undefined);
  t.equal(readTotals(''), undefined);
});

t.test('returns the lines about tests that did not run', async (t) => {
  t.same(skippedLines(OUTPUT), [
    '# left out: "compares with rcon" needs the program rconclt',
    'ok 2 - something # SKIP not here',
  ]);
});
