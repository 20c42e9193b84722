import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import t from 'tap';
import { PatternBudget } from '../../../../shared/node/primitives/pattern-budget.ts';
import { TimeLimitError, withTimeLimit } from '../../../../shared/node/primitives/time-limit.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';

/** Takes longer than the age of the universe on SLOW, and no time on other texts. */
const PATTERN = /^(?:a|a)*!/;
const SLOW = 'a'.repeat(500);

t.test('work that does not end by itself is ended, and other work is not', async (t) => {
  t.throws(() => withTimeLimit(20, () => PATTERN.test(SLOW)), TimeLimitError);
  t.equal(
    withTimeLimit(10_000, () => `${withTimeLimit(10_000, () => 'inner')} and outer`),
    'inner and outer',
  );
  t.throws(
    () =>
      withTimeLimit(10_000, () => {
        throw new RangeError('its own');
      }),
    { message: 'its own' },
  );
});

t.test('only the text that takes too long has no result', async (t) => {
  const budget = new PatternBudget();
  t.same(
    budget.each(['a!', SLOW, 'b', 'aa!'], (text) => PATTERN.test(text)),
    [true, undefined, false, true],
  );
});

t.test('once many texts took too long, others are not tried for a while', async (t) => {
  const budget = new PatternBudget();
  let tried = 0;
  const results = budget.each(new Array<string>(1_000).fill(SLOW), (text) => {
    tried++;
    return PATTERN.test(text);
  });
  t.ok(results.every((result) => result === undefined));
  t.ok(tried < 100, `${tried} tries`);
});

t.test('texts that take long, but have a result, use up the time as well', async (t) => {
  let tried = 0;
  const results = new PatternBudget().each(new Array<string>(1_000).fill('slow'), () => {
    tried++;
    workFor(30);
    return true;
  });
  t.ok(results.includes(true));
  t.ok(tried < 100, `${tried} tries`);
});

t.test('many texts that are searched quickly use up none', async (t) => {
  const budget = new PatternBudget();
  for (let round = 0; round < 20; round++) {
    const results = budget.each(new Array<string>(1_000).fill(`${'a'.repeat(500)}!`), (text) => /a!/.test(text));
    t.notOk(results.includes(undefined));
  }
});

t.test('many texts that are searched for half a millisecond each get no more than a tenth of the time', async (t) => {
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  const results = new PatternBudget().each(new Array<number>(5_000).fill(0.5), (ms) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return true;
  });
  const { user, system } = process.threadCpuUsage(before);
  const usedMs = (user + system) / 1000;
  // 100 ms are free, 500 ms may be lost at once.
  t.ok(usedMs < 1_000 + 0.1 * (performance.now() - startedAt), `${usedMs} ms`);
  t.ok(results.includes(true));
});

t.test('without free descriptors nothing is searched, and the process lives', async (t) => {
  if (!requireProgram(t, 'prlimit', 'util-linux')) return;
  const limit = (files: number) => execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:`]);
  const budget = new PatternBudget();
  t.equal(
    budget.one(() => 'found'),
    'found',
  );
  limit(readdirSync('/proc/self/fd').length + 50);
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    // Nothing is free now.
  }
  for (let free = 0; free < 8; free++) {
    // Below four, Node would abort.
    const result = budget.one(() => 'found');
    if (free < 4) t.equal(result, undefined, `${free} free`);
    closeSync(taken.pop()!);
  }
  for (const descriptor of taken) closeSync(descriptor);
  limit(4_096);
  t.equal(
    budget.one(() => 'found'),
    'found',
  );
});

t.test('a text on which the processor has hardly worked is not given up, however long that takes', async (t) => {
  const nap = new Int32Array(new SharedArrayBuffer(4));
  let tries = 0;
  const result = new PatternBudget().one(() => {
    tries++;
    if (tries < 4) Atomics.wait(nap, 0, 0, 60);
    while (tries < 4) Atomics.wait(nap, 0, 0, 1);
    return 'found';
  });
  t.equal(result, 'found');
  t.equal(tries, 4);
});

t.test('time that runs out after the last result does not lead beyond the last text', async (t) => {
  const searched: (string | undefined)[] = [];
  // Whoever asks how many texts there are once one was searched loses more time than there is.
  let isSlow = true;
  const texts = new Proxy(['a'], {
    get(target, key) {
      if (key === 'length' && searched.length > 0 && isSlow) {
        isSlow = false;
        PATTERN.test(SLOW);
      }
      return Reflect.get(target, key);
    },
  });
  const results = new PatternBudget().each(texts, (text: string | undefined) => {
    searched.push(text);
    return true;
  });
  t.same(results, [true]);
  t.same(searched, ['a']);
});

/** Keeps the processor busy for so many milliseconds of its time. */
function workFor(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ms * 1000) return;
  }
}
