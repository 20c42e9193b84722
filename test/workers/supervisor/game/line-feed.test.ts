import fc from 'fast-check';
import t from 'tap';
import { LineFeed } from '../../../../workers/supervisor/game/line-feed.ts';

t.test('lines are the same however the bytes are cut', async (t) => {
  const text = '[12:00:00 INFO]: \x1b[32mDone\x1b[0m (1s)!\r\nzwei: äöü 🎮\r\n\r\n> three\r\n';
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
      const feed = new LineFeed();
      const lines: string[] = [];
      feed.onLine(({ text }) => lines.push(text));
      const bounds = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      for (let i = 1; i < bounds.length; i++) feed.push(bytes.subarray(bounds[i - 1], bounds[i]));
      t.strictSame(lines, ['[12:00:00 INFO]: Done (1s)!', 'zwei: äöü 🎮', '', 'three']);
    }),
    { numRuns: 50 },
  );
});

t.test('a line with a wanted text is delivered however the bytes are cut', async (t) => {
  const bytes = Buffer.from('one\r\n[12:00:00 INFO]: Steve joined the game\r\nthree\r\n');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const feed = new LineFeed();
    const messages: string[] = [];
    feed.onLineWith(['onnected', ' the game'], ({ message }) => messages.push(message));
    feed.push(bytes.subarray(0, cut));
    feed.push(bytes.subarray(cut));
    t.ok(messages.includes('Steve joined the game'), `cut at ${cut}`);
  }
});

t.test('a line is what the console shows of it, after backspaces, returns and erasures', async (t) => {
  const feed = new LineFeed();
  const lines: string[] = [];
  feed.onLine(({ message }) => lines.push(message));
  feed.push(Buffer.from(']\b \b\x1b[0mAAS initialized.\r\n'));
  feed.push(Buffer.from(']status\b \b\b \b\b \b\b \b\b \b\b \b\b \bmap: oa_dm1\r\n'));
  feed.push(Buffer.from('10 %\r100 %\r\n> \x1b[2K\r[12:00:00 INFO]: Done (1s)!\r\r\n'));
  t.strictSame(lines, ['AAS initialized.', 'map: oa_dm1', '100 %', 'Done (1s)!']);
});

t.test('a stopped listener gets no more lines', async (t) => {
  const feed = new LineFeed();
  const lines: string[] = [];
  const stop = feed.onLine(({ text }) => lines.push(text));
  feed.push(Buffer.from('one\n'));
  stop();
  feed.push(Buffer.from('two\n'));
  t.strictSame(lines, ['one']);
});

t.test('an endless line takes bounded memory', async (t) => {
  const feed = new LineFeed();
  const lines: string[] = [];
  feed.onLine(({ text }) => lines.push(text));
  for (let i = 0; i < 1_000; i++) feed.push(Buffer.alloc(1_000, 'x'));
  feed.push(Buffer.from('\nnext\n'));
  t.ok((lines[0]?.length ?? 0) <= 5_000);
  t.equal(lines[1], 'next');
});

t.test('a flood of CRs takes no longer than other lines', async (t) => {
  const feed = new LineFeed();
  const lines: string[] = [];
  feed.onLine(({ text }) => lines.push(text));
  const line = `a${'\r'.repeat(4_000)}`;
  const began = performance.now();
  for (let time = 0; time < 100; time++) feed.push(Buffer.from(`${line}b\n${line}\n`));
  t.ok(performance.now() - began < 3_000, 'it took 15 seconds');
  t.same([...new Set(lines)], ['b', 'a']);
});
