/** The switch between reading and live batches, one event at a time. */
import t from 'tap';
import type { Format } from '../../../gateway/console/message.ts';
import type { Outlet } from '../../../gateway/console/outlet.ts';
import { type SharedBatch, shareBatch } from '../../../gateway/console/shared-batch.ts';
import { type LivePosition, Viewer } from '../../../gateway/console/viewer.ts';
import type { ConsoleBatch } from '../../../gateway/services/console.ts';

function batch(firstSeq: number, ...lines: string[]): ConsoleBatch {
  return {
    firstSeq,
    count: lines.length,
    at: 0,
    skipped: 0,
    text: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
  };
}

/** A viewer whose reads are answered by the test. */
function viewerAt(after: number | undefined, format: Format = 'text') {
  let text = '';
  let waiting = 0;
  const reads: ((batches: ConsoleBatch[]) => void)[] = [];
  const live = {
    isOpen: true,
    newest: undefined as number | undefined,
    unfinished: undefined as SharedBatch | undefined,
  } satisfies LivePosition;
  const outlet: Outlet = {
    get waiting() {
      return waiting;
    },
    write: (frame) => {
      text += Buffer.from(frame)
        .subarray(frame.length < 128 ? 2 : 4)
        .toString();
    },
    room: async () => undefined,
  };
  const viewer = new Viewer({
    outlet,
    source: {
      follow: () => () => undefined,
      read: (query) =>
        'tail' in query && query.tail === 1
          ? Promise.resolve([batch(live.newest ?? after ?? 0, 'the end')])
          : new Promise((resolve) => reads.push(resolve)),
      send: async () => undefined,
      resize: async () => undefined,
    },
    format,
    after,
    unfinished: format === 'json',
    onFailure: (error) => {
      throw error;
    },
  });
  return {
    viewer,
    live,
    text: () => text,
    fill: (bytes: number) => {
      waiting = bytes;
    },
    /** Answers the next read. */
    async answer(...batches: ConsoleBatch[]) {
      while (reads.length === 0) await new Promise(setImmediate);
      reads.shift()?.(batches);
      await new Promise(setImmediate);
    },
    hear(heard: ConsoleBatch) {
      live.newest = heard.firstSeq + heard.count - 1;
      viewer.take(shareBatch(heard), live);
    },
    pending: () => reads.length,
  };
}

t.test('a line that comes live while an older state is being read is neither lost nor called skipped', async (t) => {
  const { viewer, live, text, answer, hear } = viewerAt(0);
  viewer.catchUp(live);
  await new Promise(setImmediate);
  hear(batch(1, 'a'));
  await answer();
  t.equal(text(), '', 'the reading was older than the line');
  await answer(batch(1, 'a'));
  hear(batch(2, 'b'));
  t.equal(text(), 'a\r\nb\r\n');
});

t.test(
  'a live batch that a reading brought already is not sent twice, one that it brought in part is cut',
  async (t) => {
    const { viewer, live, text, answer, hear } = viewerAt(0);
    viewer.catchUp(live);
    await answer(batch(1, 'a', 'b', 'c'));
    await answer();
    hear(batch(1, 'a', 'b'));
    hear(batch(3, 'c', 'd'));
    hear(batch(5, 'e'));
    t.equal(text(), 'a\r\nb\r\nc\r\nd\r\ne\r\n');
  },
);

t.test('lines that were live before they were read for and are not there are announced as skipped', async (t) => {
  const { viewer, live, text, answer, hear } = viewerAt(0);
  viewer.catchUp(live);
  await answer(batch(1, 'a'));
  await answer();
  hear(batch(4, 'd'));
  await answer();
  await answer();
  hear(batch(5, 'e'));
  t.equal(text(), 'a\r\n[gamekeeper] skipped 3 lines\r\ne\r\n');
});

t.test('a viewer that has a mebibyte waiting reads on by itself instead of being sent more', async (t) => {
  const { viewer, live, text, answer, hear, fill, pending } = viewerAt(0);
  viewer.catchUp(live);
  await answer();
  fill(1024 * 1024);
  hear(batch(1, 'a'));
  t.equal(text(), '');
  fill(0);
  await answer(batch(1, 'a'));
  hear(batch(2, 'b'));
  t.equal(text(), 'a\r\nb\r\n');
  t.equal(pending(), 0, 'live again without another reading');
});

t.test('an unfinished line waits for a viewer that has too much waiting, as it is by then', async (t) => {
  const { viewer, live, text, answer, fill, pending } = viewerAt(1, 'json');
  const show = (shown: string) => {
    live.unfinished = shareBatch({ ...batch(2), text: Buffer.from(shown) });
    viewer.showUnfinished(live);
  };
  live.newest = 1;
  viewer.catchUp(live);
  await answer();
  fill(1024 * 1024);
  show('10 %');
  show('20 %');
  t.equal(text(), '');
  fill(0);
  await answer();
  t.equal(text(), '{"unfinished":"20 %"}');
  t.equal(pending(), 0);
});
