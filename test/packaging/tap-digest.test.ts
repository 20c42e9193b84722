import t from 'tap';
import { tapDigest } from '../../packaging/tap-digest.ts';

const OUTPUT = `TAP version 14
1..3
# Subtest: test/good.test.ts
    # Subtest: compares with rcon
        # left out: "compares with rcon" needs the program rconclt
        1..0
    ok 1 - compares with rcon
    ok 2 - something # SKIP not here
    1..2
ok 1 - test/good.test.ts # time=5ms

# Subtest: test/bad.test.ts
    not ok 1 - should be equal
      ---
      diff: |
        -1
        +2
      ...
    1..1
not ok 2 - test/bad.test.ts # time=6ms
  ---
  exitCode: 1
  ...

# Subtest: test/fine.test.ts
    ok 1 - should be equal
    1..1
ok 3 - test/fine.test.ts # time=7ms

# { total: 4, pass: 2, fail: 1, skip: 1 }
# time=30ms`.split('\n');

function digested(): { lines: string[]; totals: ReturnType<ReturnType<typeof tapDigest>['totals']> } {
  const digest = tapDigest();
  const lines = OUTPUT.flatMap((line) => digest.read(line));
  return { lines, totals: digest.totals() };
}

t.test('a test file that passed is one line, with what it left out', async (t) => {
  const { lines } = digested();
  t.ok(lines.includes('ok - test/fine.test.ts # time=7ms'));
  const good = lines.indexOf('ok - test/good.test.ts # time=5ms');
  t.same(lines.slice(good + 1, good + 3), [
    '   # left out: "compares with rcon" needs the program rconclt',
    '   ok 2 - something # SKIP not here',
  ]);
});

t.test('a test file that failed is shown whole, with the details that follow it', async (t) => {
  const shown = digested().lines.join('\n');
  t.match(shown, '    not ok 1 - should be equal\n      ---\n      diff: |\n        -1\n        +2\n');
  t.match(shown, 'not ok 2 - test/bad.test.ts # time=6ms\n  ---\n  exitCode: 1\n');
  t.notMatch(shown, '    ok 1 - should be equal', 'and of its successor again one line');
});

t.test("the totals are tap's own", async (t) => {
  t.same(digested().totals, { passed: 2, failed: 1, skipped: 1 });
});

t.test('without an end there are no totals', async (t) => {
  t.equal(tapDigest().totals(), undefined);
});
