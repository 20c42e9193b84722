import { execFileSync } from 'node:child_process';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ConsoleBatch } from '../../../../../shared/contract/console-batch.ts';
import { LogFile, type LogFileOptions } from '../../../../../workers/supervisor/console/log/log-file.ts';
import { requireRoot } from '../../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

const AT = Date.UTC(2026, 10, 20, 8, 15);

function batch(firstSeq: number, count: number, at = AT): ConsoleBatch {
  const text = Array.from({ length: count }, (_, n) => `line ${firstSeq + n}\r\n`).join('');
  return { firstSeq, count, at, skipped: 0, text: Buffer.from(text) };
}

/** Reads everything after `after`, checks that each line has its number, and returns the numbers and how many lines were missing. */
async function readAll(t: Test, file: LogFile, after: number, maxBytes: number) {
  const seqs: number[] = [];
  let skipped = 0;
  for (let last = after; ; ) {
    const batches = await file.read(last, maxBytes);
    if (batches.length === 0) return { seqs, skipped };
    for (const { firstSeq, count, skipped: gap, text } of batches) {
      skipped += gap;
      const lines = Buffer.from(text).toString().split('\r\n').slice(0, -1);
      t.same(
        lines,
        Array.from({ length: count }, (_, n) => `line ${firstSeq + n}`),
      );
      seqs.push(...lines.map((_, n) => firstSeq + n));
      last = firstSeq + count - 1;
    }
  }
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

async function openLog(t: Test, options: Partial<LogFileOptions> = {}) {
  const directory = options.directory ?? path.join(temporaryFolder(t), 'log');
  const file = await LogFile.open({ directory, ...options });
  t.teardown(() => file.close());
  return { file, directory };
}

t.test('reads lines with their numbers and times, from any position and in portions of any size', async (t) => {
  const { file } = await openLog(t);
  file.append(batch(1, 3), AT);
  file.append(batch(4, 500, AT + 1), AT + 1);
  file.append(batch(504, 1, AT + 2), AT + 2);
  t.equal(file.lastSeq, 504);
  for (const maxBytes of [1, 100, 1_000_000])
    t.same(await readAll(t, file, 0, maxBytes), { seqs: upTo(504), skipped: 0 });
  t.same((await readAll(t, file, 250, 64)).seqs, upTo(504, 251));
  t.same(
    (await file.read(2, 1_000_000)).map(({ firstSeq, at }) => [firstSeq, at]),
    [
      [3, AT],
      [4, AT + 1],
      [504, AT + 2],
    ],
  );
  t.same(await file.read(504, 100), [], 'nothing after the last line');
});

t.test('the file is readable text, and numbers continue after a restart', async (t) => {
  const { file, directory } = await openLog(t);
  file.append(batch(1, 2), AT);
  file.close();
  const [name] = await readdir(directory);
  t.equal(
    await readFile(path.join(directory, name!), 'utf8'),
    '2026-11-20T08:15:00.000Z line 1\n2026-11-20T08:15:00.000Z line 2\n',
  );

  const { file: again } = await openLog(t, { directory });
  t.equal(again.lastSeq, 2);
  again.append(batch(3, 1), AT);
  t.same((await readAll(t, again, 0, 1_000)).seqs, [1, 2, 3]);
});

t.test('a line that somebody has shortened with an editor is one line', async (t) => {
  const { file, directory } = await openLog(t);
  file.append(batch(1, 5), AT);
  const [name = ''] = await readdir(directory);
  const lines = (await readFile(path.join(directory, name), 'utf8')).split('\n');
  for (const short of ['', '2026', lines[2]!.slice(0, 24), lines[2]!.slice(0, 25)]) {
    await writeFile(path.join(directory, name), lines.with(2, short).join('\n'));
    const batches = await file.read(0, 1_000_000);
    t.equal(
      Buffer.concat(batches.map(({ text }) => text)).toString(),
      'line 1\r\nline 2\r\n\r\nline 4\r\nline 5\r\n',
      JSON.stringify(short),
    );
    t.same(
      batches.reduce((sum, { count }) => sum + count, 0),
      5,
    );
    t.ok(
      batches.every(({ at }) => at === AT),
      'it counts for the time of the line before',
    );
  }
});

t.test('any number of lines without a time can be read, in the middle and at the end', async (t) => {
  const { file, directory } = await openLog(t);
  file.append(batch(1, 5), AT);
  const [name = ''] = await readdir(directory);
  const whole = await readFile(path.join(directory, name), 'utf8');
  for (const text of [`${'\n'.repeat(100)}${whole}`, `${whole}${'\n'.repeat(300)}`]) {
    await writeFile(path.join(directory, name), text);
    const batches = await file.read(0, 1_000_000);
    const lines = Buffer.concat(batches.map((each) => each.text))
      .toString()
      .split('\r\n')
      .slice(0, -1);
    t.equal(lines.length, text.split('\n').length - 1);
    t.same(
      lines.filter((line) => line !== ''),
      ['line 1', 'line 2', 'line 3', 'line 4', 'line 5'],
    );
    t.ok(batches.every(({ at }) => Number.isFinite(at)));
  }
});

t.test('removes a line that a crash left unfinished and reuses its number', async (t) => {
  const { file, directory } = await openLog(t);
  file.append(batch(1, 2), AT);
  file.close();
  const [name] = await readdir(directory);
  await appendFile(path.join(directory, name!), '2026-11-20T08:15:00.000Z half a li');
  const { file: again } = await openLog(t, { directory });
  t.equal(again.lastSeq, 2);
  again.append(batch(3, 1), AT);
  t.same((await readAll(t, again, 0, 1_000)).seqs, [1, 2, 3]);
});

t.test('a restart continues the file, so any number of restarts removes no lines', async (t) => {
  const directory = path.join(temporaryFolder(t), 'log');
  for (let run = 0; run < 20; run++) {
    const { file } = await openLog(t, { directory, files: 3 });
    file.append(batch(1 + 5 * run, 5), AT);
    t.same(await readAll(t, file, 0, 1_000_000), { seqs: upTo(5 * (run + 1)), skipped: 0 });
    file.close();
  }
  t.equal((await readdir(directory)).length, 1);

  const small = { directory, fileBytes: 1_000 };
  const { file } = await openLog(t, small);
  file.append(batch(101, 5), AT);
  t.equal((await readdir(directory)).length, 2, 'a full file is not continued');
  file.close();
  const later = (await openLog(t, small)).file;
  later.append(batch(110, 2), AT);
  t.same(await readAll(t, later, 0, 1_000_000), { seqs: [...upTo(105), 110, 111], skipped: 4 });
  later.close();
  t.equal((await readdir(directory)).length, 3, 'a file with a gap is not continued');

  const [newest = ''] = (await readdir(directory)).sort().slice(-1);
  const last = (await openLog(t, small)).file;
  await rm(path.join(directory, newest));
  last.append(batch(112, 1), AT);
  t.match(await readAll(t, last, 111, 1_000_000), { seqs: [112] }, 'a removed file is not continued');
});

t.test('the files stay within their limits, and a reader learns how many lines were rotated away', async (t) => {
  const { file, directory } = await openLog(t, { fileBytes: 4_000, files: 3 });
  for (let seq = 1; seq <= 2_000; seq += 10) file.append(batch(seq, 10), AT);
  t.equal((await readdir(directory)).length, 3);
  const { seqs, skipped } = await readAll(t, file, 0, 700);
  t.same(seqs, upTo(2_000, skipped + 1));
  t.ok(skipped > 1_000, 'old lines are removed');
  t.equal((await file.read(0, 1))[0]!.skipped, skipped, 'the first batch has the number of removed lines');

  const { file: again } = await openLog(t, { directory, fileBytes: 4_000, files: 3 });
  t.equal(again.lastSeq, 2_000);
  t.same(await readAll(t, again, 0, 100_000), { seqs, skipped });
});

t.test('search finds the newest matches over all files, oldest first', async (t) => {
  const { file } = await openLog(t, { fileBytes: 4_000 });
  for (let seq = 1; seq <= 500; seq += 10) file.append(batch(seq, 10), AT);
  const all = Number.POSITIVE_INFINITY;
  const isSeven = (text: string) => /7$/m.test(text);
  const search = async (before: number, limit: number, matches = isSeven) =>
    (await file.search(matches, { before, limit })).lines;
  t.same(await search(all, 3), ['line 477', 'line 487', 'line 497']);
  t.same(await search(488, 2), ['line 477', 'line 487']);
  t.same(await search(487, 2), ['line 467', 'line 477']);
  t.same(await search(8, 2), ['line 7']);
  t.same(await search(7, 2), []);
  t.equal((await search(all, 1_000)).length, 50);
  t.same(await search(all, 5, () => false), []);
});

t.test('a search lets other work have a turn after every 128 KiB', async (t) => {
  const { file } = await openLog(t);
  for (let seq = 1; seq <= 50_000; seq += 500) file.append(batch(seq, 500), AT);
  let inThisTurn = 0;
  let most = 0;
  let immediate = setImmediate(function nextTurn() {
    inThisTurn = 0;
    immediate = setImmediate(nextTurn);
  });
  const matches = (text: string) => {
    inThisTurn += text.length;
    most = Math.max(most, inThisTurn);
    return true;
  };
  await file.search(matches, { before: Number.POSITIVE_INFINITY, limit: 50_000 });
  clearImmediate(immediate);
  // A piece, and once more each of its lines.
  t.ok(most > 0 && most < 2 * 128 * 1024, `${most} characters`);
});

t.test('a full disk leaves whole lines, and a gap that a reader learns about', async (t) => {
  if (!requireRoot(t)) return;
  const mount = temporaryFolder(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', mount]);
  t.teardown(() => execFileSync('umount', [mount]));
  const ballast = path.join(mount, 'ballast');
  await writeFile(ballast, Buffer.alloc(64 * 1024));
  const directory = path.join(mount, 'log');
  const { file } = await openLog(t, { directory });
  let seq = 1;
  t.throws(
    () => {
      for (; ; seq += 100) file.append(batch(seq, 100), AT);
    },
    { code: 'ENOSPC' },
  );
  t.equal(file.append(batch(seq + 100, 1), AT + 1), false, 'no attempt until the delay is over');
  t.same(await readAll(t, file, 0, 100_000), { seqs: upTo(seq - 1), skipped: 0 }, 'only whole batches are written');

  await rm(ballast);
  const next = seq + 101;
  t.equal(file.append(batch(next, 5), AT + 60_000), true);
  const expected = { seqs: [...upTo(seq - 1), ...upTo(next + 4, next)], skipped: 101 };
  t.same(await readAll(t, file, 0, 100_000), expected, 'the missing lines are announced');
  file.close();
  const { file: again } = await openLog(t, { directory });
  t.equal(again.lastSeq, next + 4);
  t.same(await readAll(t, again, 0, 100_000), expected, 'the same after a restart');
  again.close();
});
