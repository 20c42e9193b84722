import path from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import { LogFile } from '../../../../../workers/supervisor/console/log/log-file.ts';
import { LogHistory } from '../../../../../workers/supervisor/console/log/log-history.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

async function openHistory(t: Test) {
  const file = await LogFile.open({ directory: path.join(temporaryFolder(t), 'log'), fileBytes: 512 * 1024 });
  const history = new LogHistory(file);
  t.teardown(() => history.close());
  const print = (...lines: string[]) => {
    const text = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
    history.append({ firstSeq: history.lastSeq + 1, count: lines.length, at: 0, skipped: 0, text });
  };
  /** Prints so much that earlier lines are only in the file. */
  const pushOut = () => {
    for (let n = 0; n < 1_000; n++) print('.'.repeat(1_000));
  };
  return { history, print, pushOut };
}

t.test('reads at the same time get their own lines, and the newest lines stay as they were', async (t) => {
  const { history, print, pushOut } = await openHistory(t);
  const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n + 1} ${'é'.repeat(n % 9)}`);
  print(...lines);
  pushOut();
  const textOf = (batches: { text: Uint8Array }[]) => Buffer.concat(batches.map(({ text }) => text)).toString();
  const starts = [0, 1_000, 2_000];
  const texts = await Promise.all(starts.map((after) => history.read(after, 10_000, textOf)));
  texts.forEach((text, index) => {
    const from = starts[index]!;
    const count = text.split('\r\n').length - 1;
    t.equal(
      text,
      lines
        .slice(from, from + count)
        .map((line) => `${line}\r\n`)
        .join(''),
    );
    t.ok(count > 100);
  });
  const tail = await history.tail(900);
  await history.read(0, 10_000, textOf);
  t.ok(textOf(tail) === `${'.'.repeat(1_000)}\r\n`.repeat(900), 'the memory of a read is not that of the newest lines');
});

t.test('searches take turns, a few wait, and the rest are refused', async (t) => {
  const { history, print, pushOut } = await openHistory(t);
  print('hello');
  pushOut();
  const searches = await Promise.allSettled(Array.from({ length: 20 }, () => history.search('hello', { limit: 10 })));
  t.equal(searches.filter((search) => search.status === 'fulfilled' && search.value[0] === 'hello').length, 8);
  const refused = searches.flatMap((search) => (search.status === 'rejected' ? [search.reason] : []));
  t.equal(refused.length, 12);
  for (const error of refused) t.match(error, { code: 'rate_limited', retryAfterSeconds: 1 });
  t.same(await history.search('hello', { limit: 10 }), ['hello'], 'then there is a turn again');
});

t.test('a search ends when nobody waits for it, and leaves its turn at once', async (t) => {
  const { history, pushOut } = await openHistory(t);
  pushOut();
  const leaving = new AbortController();
  const left = Array.from({ length: 8 }, () => history.search('x', { limit: 10, signal: leaving.signal }));
  leaving.abort(new GamekeeperError('request_timeout', 'left'));
  for (const search of left) await t.rejects(search, { code: 'request_timeout' });
  t.same(await history.search('x', { limit: 10 }), []);
});

t.test(
  'finds exactly the lines that have the text in any case, whatever their script, in memory as on disk',
  async (t) => {
    const { history, print, pushOut } = await openHistory(t);
    const piece = fc.constantFrom(
      'a',
      'B',
      'ß',
      'Σ',
      'σ',
      'ς',
      'İ',
      'i',
      'I',
      'ǆ',
      'Ǆ',
      '好',
      '😀',
      ' ',
      '2',
      ':',
      '\x1b[31m',
      'é',
    );
    const lines = fc
      .sample(fc.array(piece, { maxLength: 8 }), { numRuns: 400, seed: 1 })
      .map((parts) => parts.join(''));
    const plain = lines.map((line) => line.replaceAll('\x1b[31m', ''));
    const wanted = fc.sample(fc.array(piece, { minLength: 1, maxLength: 3 }), { numRuns: 60, seed: 2 });
    print(...lines);
    for (const place of ['in memory', 'on disk']) {
      for (const text of wanted.map((parts) => parts.join('').replaceAll('\x1b[31m', 'A'))) {
        const expected = plain.filter((line) => line.toLowerCase().includes(text.toLowerCase()));
        t.same(await history.search(text, { limit: 1_000 }), expected, `${text} ${place}`);
      }
      pushOut();
    }
  },
);

t.test('an answer has about 1 MiB at most, without a gap', async (t) => {
  const { history, print } = await openHistory(t);
  for (let n = 1; n <= 60; n++) print(n % 10 === 0 ? `${n} short` : `${n} ${'long'.repeat(15_000)}`);
  for (const lines of [await history.lastLines(1_000), await history.search('o', { limit: 1_000 })]) {
    const numbers = lines.map((line) => Number.parseInt(line, 10));
    t.same(
      numbers,
      Array.from(numbers, (_, index) => 60 - numbers.length + 1 + index),
    );
    t.ok(numbers.length >= 12 && numbers.length <= 20, `${numbers.length} lines`);
  }
  const batches = await history.tail(1_000);
  t.ok(batches.reduce((sum, { text }) => sum + text.byteLength, 0) < 1.5 * 1024 * 1024);
});

t.test('a search of the lines in memory lets other work have a turn after every 128 KiB', async (t) => {
  const { history, print } = await openHistory(t);
  for (let n = 0; n < 400; n++) print('.'.repeat(1_022)); // all of it is kept in memory
  let turns = 0;
  let immediate = setImmediate(function next() {
    turns++;
    immediate = setImmediate(next);
  });
  t.same(await history.search('.', { limit: 1 }), ['.'.repeat(1_022)]);
  clearImmediate(immediate);
  t.ok(turns >= 3, `${turns} turns`);
});
