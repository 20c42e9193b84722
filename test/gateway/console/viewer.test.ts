/** The switch between reads and live batches, one event at a time. */
import t from 'tap';
import { FrameMaker } from '../../../gateway/console/frame.ts';
import type { Format } from '../../../gateway/console/message.ts';
import type { Outlet } from '../../../gateway/console/outlet.ts';
import { Reel } from '../../../gateway/console/reel.ts';
import { type SharedBatch, shareBatch } from '../../../gateway/console/shared-batch.ts';
import { type LivePosition, Viewer } from '../../../gateway/console/viewer.ts';
import type { ConsoleBatch, ConsoleSource } from '../../../gateway/services/console.ts';

function batch(firstSeq: number, ...lines: string[]): ConsoleBatch {
  return {
    firstSeq,
    count: lines.length,
    at: 0,
    skipped: 0,
    text: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
  };
}

/** A viewer whose reads the test answers. */
function viewerAt(after: number | undefined, format: Format = 'text') {
  const frames = new FrameMaker();
  const messages: string[] = [];
  let waiting = 0;
  let onProgress: () => void = () => undefined;
  const fill = (bytes: number) => {
    waiting = bytes;
    onProgress();
  };
  const reads: ((batches: ConsoleBatch[]) => void)[] = [];
  const live = {
    isOpen: true,
    newest: undefined as number | undefined,
    unfinished: undefined as SharedBatch | undefined,
  } satisfies LivePosition;
  let sending = false;
  const outlet: Outlet = {
    get waiting() {
      return waiting;
    },
    sent: 0,
    write: ({ bytes }) => {
      const head = bytes.length < 128 ? 2 : bytes.length < 65_540 ? 4 : 10;
      messages.push(Buffer.from(bytes.subarray(head)).toString());
      if (sending) fill(waiting + bytes.length);
    },
    until: (bytes) =>
      new Promise((resolve) => {
        onProgress = () => {
          if (waiting <= bytes) resolve();
        };
        onProgress();
      }),
  };
  const source: ConsoleSource = {
    follow: () => () => undefined,
    read: (query, take) =>
      'tail' in query && query.tail === 1
        ? Promise.resolve(take([batch(live.newest ?? after ?? 0, 'the end')]))
        : new Promise((resolve) => reads.push((batches) => resolve(take(batches)))),
    send: async () => undefined,
    resize: async () => undefined,
  };
  const reel = new Reel({ source, frames, format });
  const viewer = new Viewer({
    outlet,
    frames,
    source,
    reel,
    view: { format, after, unfinished: format === 'json' },
    onFailure: (error) => {
      throw error;
    },
  });
  return {
    viewer,
    live,
    frames,
    messages,
    text: () => messages.join(''),
    /** Sets how many bytes are buffered. */
    fill,
    /** From now on, writes wait until the test completes them. */
    keepWhatIsWritten: () => {
      sending = true;
    },
    waiting: () => waiting,
    /** Answers the next read. */
    async answer(...batches: ConsoleBatch[]) {
      while (reads.length === 0) await new Promise(setImmediate);
      reads.shift()?.(batches);
      await new Promise(setImmediate);
    },
    hear(heard: ConsoleBatch) {
      live.newest = heard.firstSeq + heard.count - 1;
      viewer.take(shareBatch(heard, frames), live);
    },
    pending: () => reads.length,
    loseSupervisor() {
      live.newest = undefined;
      reel.clear();
    },
  };
}

const LIMIT = 1024 * 1024;
const EMPTY_LINES = 30_000;

t.test('a line that comes live during a read is neither lost nor announced as skipped', async (t) => {
  const { viewer, live, text, answer, hear } = viewerAt(0);
  viewer.catchUp(live);
  await new Promise(setImmediate);
  hear(batch(1, 'a'));
  await answer();
  t.equal(text(), '', 'the read began before the line');
  await answer(batch(1, 'a'));
  hear(batch(2, 'b'));
  t.equal(text(), 'a\r\nb\r\n');
});

t.test('a live batch that was already read is not sent again, and a partly read one is cut', async (t) => {
  const { viewer, live, text, answer, hear } = viewerAt(0);
  viewer.catchUp(live);
  await answer(batch(1, 'a', 'b', 'c'));
  await answer();
  hear(batch(1, 'a', 'b'));
  hear(batch(3, 'c', 'd'));
  hear(batch(5, 'e'));
  t.equal(text(), 'a\r\nb\r\nc\r\nd\r\ne\r\n');
});

t.test('live lines that a later read does not find are announced as skipped', async (t) => {
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

t.test('a supervisor that is replaced during a read makes no line count as gone', async (t) => {
  for (const nextLine of [true, false]) {
    const { viewer, live, text, answer, hear, loseSupervisor } = viewerAt(0);
    hear(batch(3, 'c'));
    viewer.catchUp(live);
    await new Promise(setImmediate);
    loseSupervisor();
    if (nextLine) hear(batch(4, 'd'));
    await answer(batch(1, 'a', 'b', 'c'));
    t.equal(text(), '', 'what this read found may be of another log');
    await answer(batch(1, 'a', 'b', 'c'));
    await answer(...(nextLine ? [batch(4, 'd')] : []));
    hear(batch(nextLine ? 5 : 4, 'e'));
    t.equal(text(), `a\r\nb\r\nc\r\n${nextLine ? 'd\r\n' : ''}e\r\n`);
  }
});

t.test('a viewer with 1 MiB buffered gets no more live batches and catches up itself', async (t) => {
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
  t.equal(pending(), 0, 'live again without another read');
});

t.test('a viewer that is behind gets the unfinished line later, in its latest form', async (t) => {
  const { viewer, live, frames, text, answer, fill, pending } = viewerAt(1, 'json');
  const show = (shown: string) => {
    live.unfinished = shareBatch({ ...batch(2), text: Buffer.from(shown) }, frames);
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

t.test('buffered bytes are counted as written: in JSON empty lines are long', async (t) => {
  const { viewer, live, messages, answer, hear, keepWhatIsWritten, waiting, fill } = viewerAt(0, 'json');
  viewer.catchUp(live);
  await answer();
  keepWhatIsWritten();
  hear(batch(1, 'a'));
  t.equal(messages.length, 1);
  hear(batch(2, ...Array<string>(EMPTY_LINES).fill('')));
  t.equal(messages.length, 1, '60 KB of text, but too much as JSON, so it is read');
  await answer(batch(2, ...Array<string>(EMPTY_LINES).fill('')));
  const seqs = () =>
    messages.flatMap((message) => (JSON.parse(message) as { lines: { seq: number }[] }).lines.map(({ seq }) => seq));
  while (seqs().length <= EMPTY_LINES) {
    t.ok(waiting() <= LIMIT, `${waiting()} bytes are in flight`);
    if (waiting() > LIMIT / 2) fill(0);
    await new Promise(setImmediate);
  }
  t.same(
    seqs(),
    Array.from({ length: EMPTY_LINES + 1 }, (_, n) => n + 1),
  );
  hear(batch(EMPTY_LINES + 2, 'live'));
  t.equal(seqs().at(-1), EMPTY_LINES + 2, 'back to live lines');
});

t.test('lines that were read are written in messages of whole lines, as space allows', async (t) => {
  const { viewer, live, messages, answer, hear, fill, keepWhatIsWritten, waiting } = viewerAt(0);
  const line = 'x'.repeat(98);
  keepWhatIsWritten();
  viewer.catchUp(live);
  fill(700 * 1024);
  await answer(batch(1, ...Array<string>(4_000).fill(line)));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  t.ok(waiting() <= LIMIT && waiting() > LIMIT - 100_000, `${waiting()} bytes are in flight`);
  t.ok(messages.length < 6);
  fill(0);
  await answer();
  t.equal(messages.join(''), `${line}\r\n`.repeat(4_000));
  for (const message of messages) t.ok(message.length <= 64 * 1024 && message.endsWith('\r\n'));
  hear(batch(4_001, 'live'));
  t.equal(messages.at(-1), 'live\r\n');
});

t.test('a client that sends without reading the notices does not fill the memory', async (t) => {
  const { viewer, live, messages, answer, keepWhatIsWritten, waiting } = viewerAt(0);
  viewer.catchUp(live);
  await answer();
  keepWhatIsWritten();
  for (let n = 0; n < 100_000; n++) viewer.say('not allowed');
  t.ok(waiting() <= LIMIT);
  t.equal(messages[0], '[gamekeeper] not allowed\r\n');
});
