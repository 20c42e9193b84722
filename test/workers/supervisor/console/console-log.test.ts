import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { decodeBatches } from '../../../../shared/contract/console-batch.ts';
import { openConsoleLog } from '../../../../workers/supervisor/console/console-log.ts';
import { requireRoot } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

async function openLog(t: Test, directory = temporaryFolder(t)) {
  const log = await openConsoleLog({ directory, redaction: { patterns: [], exceptions: [] } });
  t.teardown(() => log.close());
  return { log, directory };
}

const textOf = (bytes: Uint8Array) =>
  decodeBatches(bytes)
    .map(({ text }) => Buffer.from(text).toString())
    .join('');

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);
const plain = (text: Uint8Array) => Buffer.from(text).toString().split('\r\n').slice(0, -1);

t.test('a line is sent at once, is on disk before a viewer sees it, and shows no address anywhere', async (t) => {
  const { log, directory } = await openLog(t);
  const seen: Uint8Array[] = [];
  log.onBatch((batch) => seen.push(batch));
  log.append(Buffer.from('[12:00:00] [Server thread/INFO]: \x1b[33mSteve\x1b[0m[/203.0.113.7:54321] logged in\r\n'));
  t.equal(seen.length, 1, 'the first line after quiet does not wait');
  t.match(decodeBatches(seen[0]!), [{ firstSeq: 1, count: 1, skipped: 0 }]);
  t.match(textOf(seen[0]!), /\x1b\[33mSteve\x1b\[0m\[\/\[ip-[0-9a-f]{6}\]\] logged in\r\n$/);

  const [name] = (await readdir(directory)).filter((file) => file.endsWith('.log'));
  const onDisk = await readFile(path.join(directory, name!), 'utf8');
  t.match(onDisk, /Steve.*logged in\n$/);
  t.notMatch(onDisk + textOf(seen[0]!) + (await log.lastLines(10)).join(), /203\.0\.113|54321/);
  t.match(
    await log.lastLines(10),
    [/^\[12:00:00\] \[Server thread\/INFO\]: Steve\[\/\[ip-[0-9a-f]{6}\]\] logged in$/],
    'without colours',
  );
});

t.test('text of others in a notice is redacted, and cannot move the cursor', async (t) => {
  const { log } = await openLog(t);
  const seen: Uint8Array[] = [];
  log.onBatch((batch) => seen.push(batch));
  log.appendNotice('Forge: \x1b[2J\x1b]0;title\x07Target: /home/steve/x\x07\r from 203.0.113.7');
  await until('the line has arrived', () => seen.length > 0);
  t.match(textOf(seen[0]!), /^\[gamekeeper\] Forge: Target: \/home\/\[user\]\/x from \[ip-[0-9a-f]{6}\]\r\n$/);
});

t.test('lines that arrive together share batches, in order, each with its number', async (t) => {
  const { log } = await openLog(t);
  const seen: Uint8Array[] = [];
  log.onBatch((batch) => seen.push(batch));
  for (let n = 1; n <= 1_000; n++) log.append(Buffer.from(`line ${n}\r\n`));
  await until(
    'all lines have arrived',
    () => seen.flatMap(decodeBatches).reduce((sum, { count }) => sum + count, 0) === 1_000,
  );
  t.ok(seen.length < 200, `${seen.length} batches`);
  t.equal(seen.map(textOf).join(''), Array.from({ length: 1_000 }, (_, n) => `line ${n + 1}\r\n`).join(''));
  let next = 1;
  for (const { firstSeq, count } of seen.flatMap(decodeBatches)) {
    t.equal(firstSeq, next);
    next += count;
  }
});

t.test('a reader can resume at any line, from memory and disk, also after a restart', async (t) => {
  const { log, directory } = await openLog(t);
  const line = (n: number) => `${String(n).padStart(6, '0')} ${'x'.repeat(90)}\r\n`;
  const total = 20_000;
  for (let n = 1; n <= total; n += 100)
    log.append(Buffer.from(Array.from({ length: 100 }, (_, i) => line(n + i)).join('')));
  await log.lastLines(1);

  const readFrom = async (source: typeof log, after: number) => {
    let text = '';
    for (let last = after; ; ) {
      const batches = decodeBatches(await source.read({ after: last, maxBytes: 100_000 }));
      if (batches.length === 0) return text;
      for (const batch of batches) {
        t.equal(batch.firstSeq, last + 1);
        last = batch.firstSeq + batch.count - 1;
        text += Buffer.from(batch.text).toString();
      }
    }
  };
  const expected = (after: number) => Array.from({ length: total - after }, (_, i) => line(after + 1 + i)).join('');
  for (const after of [0, 1, 9_999, 19_000, total - 1, total])
    t.ok((await readFrom(log, after)) === expected(after), `after ${after}`);
  t.equal(textOf(await log.read({ tail: 3 })), expected(total - 3));

  await log.close();
  const { log: again } = await openLog(t, directory);
  t.ok((await readFrom(again, 0)) === expected(0));
  again.append(Buffer.from('after the restart\r\n'));
  t.match(decodeBatches(await again.read({ tail: 1 })), [{ firstSeq: total + 1 }]);
});

t.test('an unfinished line becomes the last line, and a notice begins with [gamekeeper]', async (t) => {
  const { log } = await openLog(t);
  log.append(Buffer.from('half a line'));
  t.same(await log.lastLines(5), [], 'not shown as a line yet');
  log.endOfOutput();
  log.appendNotice('The server has stopped.\nReally.');
  t.same(await log.lastLines(5), ['half a line', '[gamekeeper] The server has stopped. Really.']);
  log.endOfOutput();
  t.equal((await log.lastLines(5)).length, 2, 'no empty line if nothing was unfinished');
});

t.test('viewers see the settled part of an unfinished line, new viewers too, and it is not in the log', async (t) => {
  const { log } = await openLog(t);
  const seen: { seq: number; count: number; text: string }[] = [];
  const follow = () =>
    log.onBatch((bytes) => {
      for (const { firstSeq, count, text } of decodeBatches(bytes))
        seen.push({ seq: firstSeq, count, text: Buffer.from(text).toString() });
    });
  const stop = follow();
  log.append(Buffer.from('one\r\n> '));
  await until('the prompt has arrived', () => seen.length === 2);
  t.same(seen[1], { seq: 2, count: 0, text: '> ' });
  log.append(Buffer.from('from 203.0.113.7'));
  await until('more of the prompt has arrived', () => seen.length === 3);
  t.same(seen[2], { seq: 2, count: 0, text: '> from ' }, 'the address may continue');
  stop();
  follow();
  await until('the new viewer has it', () => seen.length === 4);
  t.same(seen[3], seen[2]);
  t.same(await log.lastLines(5), ['one']);
  log.append(Buffer.from(' on\r\n'));
  await until('the line has arrived', () => seen.length === 5);
  t.match(seen[4], { seq: 2, count: 1, text: /^> from \[ip-[0-9a-f]{6}\] on\r\n$/ });
  log.append(Buffer.from('[==  ]'));
  log.append(Buffer.from('\r'));
  log.append(Buffer.from('[=== ] 75 % '));
  await until('the progress bar has arrived', () => seen.length === 6);
  t.same(seen[5], { seq: 3, count: 0, text: '[=== ] 75 % ' });
});

t.test('hides secrets as soon as they are known, in the stream and in answers', async (t) => {
  const { log } = await openLog(t);
  log.hideSecrets(['correct-horse-battery']);
  log.hideSecrets(['another-long-secret']);
  log.append(Buffer.from('it is correct-horse-battery, or another-long-secret\r\n'));
  t.notMatch((await log.lastLines(1))[0], /correct-horse|another-long/);
  t.notMatch(log.redact('Unknown command: correct-horse-battery'), /correct-horse/);
});

t.test("the owner's rules can change while the console runs, for the stream and for answers", async (t) => {
  const { log } = await openLog(t);
  log.append(Buffer.from('base at 10 20, mail me@example.org\r\n'));
  log.setRedaction({ patterns: [String.raw`at -?\d+ -?\d+`], exceptions: [String.raw`.*@example\.org`] });
  log.append(Buffer.from('base at 10 20, mail me@example.org\r\n'));
  t.match(log.redact('home at 1 2'), /^home \[redacted\]$/);
  log.setRedaction({ patterns: [], exceptions: [] });
  log.append(Buffer.from('base at 10 20\r\n'));
  t.match(await log.lastLines(3), [
    /^base at 10 20, mail \[email-/,
    /^base \[redacted\], mail me@example\.org$/,
    /^base at 10 20$/,
  ]);
});

t.test('a private key stays hidden if new secrets arrive while it is printed', async (t) => {
  const { log } = await openLog(t);
  log.append(Buffer.from('-----BEGIN RSA PRIVATE KEY-----\r\n'));
  log.hideSecrets(['correct-horse-battery']);
  log.append(Buffer.from('MIIEpAIBAAKCAQEA7bq2\r\n-----END RSA PRIVATE KEY-----\r\n'));
  t.same((await log.lastLines(2))[0], '[private-key]');
});

t.test('search ignores colours and case', async (t) => {
  const { log } = await openLog(t);
  log.append(Buffer.from('one \x1b[31mSte\x1b[0mve\r\ntwo\r\nthree steve\r\n'));
  await log.lastLines(1);
  t.same(await log.search('STEVE', { limit: 10 }), ['one Steve', 'three steve']);
  t.same(await log.search('steve', { limit: 1 }), ['three steve']);
});

t.test('lines that a full disk could not take can be searched and read while they are in memory', async (t) => {
  if (!requireRoot(t)) return;
  const mount = temporaryFolder(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount]);
  const ballast = path.join(mount, 'ballast');
  await writeFile(ballast, Buffer.alloc(900 * 1024));
  const start = Date.now();
  let later = 0;
  t.intercept(Date, 'now', { value: () => start + later });
  const log = await openConsoleLog({ directory: path.join(mount, 'log'), redaction: { patterns: [], exceptions: [] } });
  t.teardown(async () => {
    await log.close();
    execFileSync('umount', [mount]);
  });
  const line = (n: number) => `line ${n} ${n % 100 === 0 ? '\x1b[32mHun\x1b[0mdred' : '.......'} ${'.'.repeat(90)}\r\n`;
  const print = async (first: number, last: number) => {
    for (let n = first; n <= last; n += 10) {
      log.append(Buffer.from(Array.from({ length: 10 }, (_, i) => line(n + i)).join('')));
      if (n % 100 === 91) await log.lastLines(1);
    }
  };
  const numberOf = (text: string) => Number(/^line (\d+)/.exec(text)?.[1]);

  await print(1, 2_000);
  t.match(await log.search('cannot be written', { limit: 1 }), [/ENOSPC/], 'the failure is reported in the console');
  t.same(
    (await log.search('hundred', { limit: 100 })).map(numberOf),
    upTo(20).map((n) => n * 100),
  );
  t.same((await log.search('hundred', { limit: 3 })).map(numberOf), [1_800, 1_900, 2_000]);

  // The disk has space again. The ring drops its oldest lines, but not all of those that only it has.
  await rm(ballast);
  later = 60_000;
  await print(2_001, 6_000);
  const read: number[] = [];
  let skipped = 0;
  for (let after = 0; ; ) {
    const batches = decodeBatches(await log.read({ after, maxBytes: 50_000 }));
    if (batches.length === 0) break;
    for (const batch of batches) {
      skipped += batch.skipped;
      t.equal(batch.firstSeq, after + batch.skipped + 1);
      after = batch.firstSeq + batch.count - 1;
      read.push(...plain(batch.text).map(numberOf).filter(Boolean));
    }
  }
  const gap = read.findIndex((n, index) => n !== index + 1);
  const [lastOnDisk, firstInRing] = [read[gap - 1]!, read[gap]!];
  t.ok(lastOnDisk < 1_000 && firstInRing < 2_000, `after ${lastOnDisk} the ring starts at ${firstInRing}`);
  t.same(read.slice(gap), upTo(6_000).slice(firstInRing - 1), 'complete from there on');
  t.equal(skipped, firstInRing - lastOnDisk - 1 + 1, 'the gap is announced, including the line about the failure');
  t.same(
    (await log.search('hundred', { limit: 100 })).map(numberOf),
    read.filter((n) => n % 100 === 0),
  );
});

t.test('pseudonyms stay the same over restarts, and only the owner can read their key', async (t) => {
  const { log, directory } = await openLog(t);
  log.append(Buffer.from('a 203.0.113.7\r\n'));
  const before = await log.lastLines(1);
  await log.close();
  const { log: again } = await openLog(t, directory);
  again.append(Buffer.from('a 203.0.113.7\r\n'));
  t.same(await again.lastLines(1), before);
  t.equal((await stat(path.join(directory, 'pseudonym.key'))).mode & 0o777, 0o600);
});

t.test('the log does not depend on how the bytes are split into reads', async (t) => {
  const text = Buffer.from(
    'plain\r\n\x1b[32mgreen é\x1b[0m Steve[/203.0.113.7:5]\r\n10%\r20%\r\n> \x1b[1G\x1b[0Jdone\r\r\nbad \xff byte\r\n',
    'latin1',
  );
  const { log: whole } = await openLog(t);
  whole.append(text);
  const directory = temporaryFolder(t);
  await whole.close();
  const expected = (await whole.lastLines(10)).map((line) => line.replace(/ip-[0-9a-f]{6}/, 'ip'));
  t.equal(expected.length, 5);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 8 }), async (cuts) => {
      const log = await openConsoleLog({
        directory: path.join(directory, String(run++)),
        redaction: { patterns: [], exceptions: [] },
      });
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      for (let i = 1; i < places.length; i++) log.append(Buffer.from(text.subarray(places[i - 1], places[i])));
      const lines = (await log.lastLines(10)).map((line) => line.replace(/ip-[0-9a-f]{6}/, 'ip'));
      await log.close();
      return JSON.stringify(lines) === JSON.stringify(expected);
    }),
    { numRuns: 50 },
  );
});
