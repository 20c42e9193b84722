/** Viewers who are behind share what is read and sent. */
import t from 'tap';
import { FrameMaker } from '../../../gateway/console/frame.ts';
import { Reel } from '../../../gateway/console/reel.ts';
import type { ConsoleBatch } from '../../../gateway/services/console.ts';

const LINE_BYTES = 100;

/** A log with lines 1 to `last`, of which those before `first` are gone, and a reel of it. */
function reelOf({ first = 1, last }: { first?: number; last: number }) {
  const frames = new FrameMaker();
  const reads: number[] = [];
  const reel = new Reel({
    frames,
    format: 'text',
    source: {
      async read(query, take) {
        if (!('after' in query)) throw new Error('only lines after one are read');
        reads.push(query.after);
        await new Promise(setImmediate);
        const from = Math.max(query.after + 1, first);
        const to = Math.min(last, from + Math.floor(query.maxBytes / LINE_BYTES) - 1);
        return take(to < from ? [] : [batch(from, to)]);
      },
    },
  });
  /** Goes along the reel as a viewer does. Resolves to the lines. */
  async function walk(after: number, to: number): Promise<string> {
    let [cursor, text] = [after, ''];
    while (cursor < to) {
      let piece = reel.at(cursor + 1);
      if (!piece) {
        const firstSeq = await reel.read(cursor);
        if (firstSeq === undefined) break;
        piece = reel.at(firstSeq)!;
      }
      text += textOf(piece.frame.bytes);
      cursor = piece.last;
    }
    return text;
  }
  return { reel, frames, reads, walk };
}

t.test('viewers at one position cause one read', async (t) => {
  const { reads, walk } = reelOf({ last: 2_000 });
  const texts = await Promise.all([walk(0, 2_000), walk(0, 2_000), walk(0, 2_000)]);
  for (const text of texts) t.ok(text === textOfLines(1, 2_000), 'whole');
  t.same(reads, [0]);
});

t.test('viewers at other positions join the pieces of the first', async (t) => {
  const { reads, walk } = reelOf({ last: 10_000 });
  t.ok((await walk(0, 10_000)) === textOfLines(1, 10_000));
  const before = reads.length;
  for (const after of [5, 100, 777])
    t.ok((await walk(after, 10_000)) === textOfLines(after + 1, 10_000), `whole after ${after}`);
  t.equal(reads.length, before + 3, 'one short read each, to the end of the piece that it begins in');
});

t.test('short lines, which take many times as much in JSON, are read once', async (t) => {
  const frames = new FrameMaker();
  const lines = 100_000;
  let reads = 0;
  const reel = new Reel({
    frames,
    format: 'json',
    source: {
      async read(query, take) {
        if (!('after' in query)) throw new Error('only lines after one are read');
        reads++;
        const count = Math.min(query.maxBytes / 2, lines - query.after);
        return take(
          count > 0
            ? [{ firstSeq: query.after + 1, count, at: 0, skipped: 0, text: Buffer.from('\r\n'.repeat(count)) }]
            : [],
        );
      },
    },
  });
  for (let cursor = 0; cursor < lines; ) {
    const piece = reel.at(cursor + 1) ?? reel.at((await reel.read(cursor))!);
    t.ok(piece, `after ${cursor}`);
    cursor = piece!.last;
  }
  t.ok(reads < 10, `${reads} reads`);
});

t.test('the messages of live viewers are used', async (t) => {
  const { reel, frames, reads, walk } = reelOf({ last: 100 });
  for (const from of [41, 61, 81]) {
    const live = batch(from, from + 19);
    reel.add(live, frames.text(live.text));
  }
  t.ok((await walk(30, 100)) === textOfLines(31, 100));
  t.same(reads, [30], 'only what is before them');
});

t.test('lines that are gone are left out, and the end is noticed', async (t) => {
  const { reel, walk } = reelOf({ first: 500, last: 600 });
  t.equal(await reel.read(10), 500);
  t.ok((await walk(10, 600)) === textOfLines(500, 600));
  t.equal(await reel.read(600), undefined);
});

t.test('what is kept is bounded, and its memory is not used for something else meanwhile', async (t) => {
  const last = 100_000;
  const { reel, walk } = reelOf({ last });
  const slow = await reel.read(0).then(() => reel.at(1)!);
  slow.frame.hold();
  t.ok((await walk(0, last)) === textOfLines(1, last));
  t.equal(reel.at(1), undefined, 'given up after 10 MB');
  t.ok(textOfLines(1, last).startsWith(textOf(slow.frame.bytes)), 'unchanged while a viewer still holds it');
});

t.test('after a break nothing old is sent', async (t) => {
  const { reel, walk } = reelOf({ last: 100 });
  const read = reel.read(0);
  reel.clear();
  t.equal(await read, undefined, 'a read that began before');
  t.equal(reel.at(1), undefined);
  t.ok((await walk(0, 100)) === textOfLines(1, 100));
});

function batch(firstSeq: number, last: number): ConsoleBatch {
  return { firstSeq, count: last - firstSeq + 1, at: 0, skipped: 0, text: Buffer.from(textOfLines(firstSeq, last)) };
}

function textOfLines(first: number, last: number): string {
  return Array.from(
    { length: last - first + 1 },
    (_, n) => `${String(first + n).padEnd(LINE_BYTES - 2, '.')}\r\n`,
  ).join('');
}

/** Without the head of the frame. */
function textOf(frame: Uint8Array): string {
  const head = frame[1]! < 126 ? 2 : frame[1] === 126 ? 4 : 10;
  return Buffer.from(frame.subarray(head)).toString();
}
