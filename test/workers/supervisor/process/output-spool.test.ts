import { spawn } from 'node:child_process';
import { appendFileSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { OutputSpool, readPosition, type SpoolOptions } from '../../../../workers/supervisor/process/output-spool.ts';
import { isStopped } from '../../../../workers/supervisor/process/process-tree.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

/** A spool in a folder, whose log can be told what it has. */
function createSpools(t: Test) {
  const folder = temporaryFolder(t);
  const files = { output: join(folder, 'output'), position: join(folder, 'position') };
  appendFileSync(files.output, '');
  appendFileSync(files.position, '');
  const writer = spawn('sleep', ['100']);
  t.teardown(() => writer.kill('SIGKILL'));
  const log = { newest: 0, isMidLine: false, listeners: new Set<(newest: number) => void>() };
  return {
    log,
    files,
    writer,
    print: (text: string) => appendFileSync(files.output, text),
    logged(newest: number, isMidLine = false): void {
      Object.assign(log, { newest, isMidLine });
      for (const listener of log.listeners) listener(newest);
    },
    position: () => readPosition(openSync(files.position, 'r')),
    open(change: Partial<SpoolOptions> = {}) {
      let passed = '';
      const descriptors = { output: openSync(files.output, 'r+'), position: openSync(files.position, 'r+') };
      const spool = new OutputSpool(descriptors, {
        log: {
          lineNumber: () => log.newest,
          isMidLine: () => log.isMidLine,
          onLogged(listener) {
            log.listeners.add(listener);
            return () => log.listeners.delete(listener);
          },
        },
        writer: () => writer.pid,
        onData(bytes) {
          passed += bytes.toString();
        },
        ...change,
      });
      return { spool, passed: () => passed };
    },
  };
}

t.test('what is not logged is passed on again, with the beginning of its first line', async (t) => {
  const { open, print, logged, position } = createSpools(t);
  const first = open();
  print('one\ntwo\nthr');
  first.spool.read();
  t.equal(first.spool.bytesRead, 11);
  t.equal(first.passed(), 'one\ntwo\nthr');
  logged(7, true);
  print('ee\nfour\n');
  first.spool.read();
  first.spool.close();
  t.match(position(), { newest: 7, offset: 8 });
  const next = open();
  next.spool.read();
  t.equal(next.passed(), 'three\nfour\n');
});

t.test('lines that were logged after the position was noted are left out', async (t) => {
  const { open, print, logged } = createSpools(t);
  const first = open();
  print('one\ntw');
  first.spool.read();
  logged(1, true);
  first.spool.close();
  print(`o\nthree\n${'x'.repeat(100)}\nfive\nsi`);
  const next = open({ loggedSince: 3 });
  next.spool.read();
  t.equal(next.passed(), 'five\nsi');
  print('x\n');
  next.spool.read();
  t.equal(next.passed(), 'five\nsix\n');
});

t.test('a spool whose shortening was cut off is shortened, and its writer continues', async (t) => {
  const { open, print, logged, files, writer, position } = createSpools(t);
  const first = open();
  print('a long line\nbeg');
  first.spool.read();
  logged(1, true);
  first.spool.close();
  writer.kill('SIGSTOP');
  await until('the writer has stopped', () => isStopped(writer.pid!));
  // What the former supervisor writes before it cuts the file.
  writeFileSync(files.output, 'begong line\nbeg');
  writeFileSync(files.position, Buffer.from(Float64Array.of(1, 0, 3, 0).buffer));
  const next = open();
  t.equal(readFileSync(files.output, 'utf8'), 'beg');
  t.strictSame(position(), { newest: 1, offset: 0, shortenedTo: undefined, isGivenUp: false });
  await until('the writer continues', () => !isStopped(writer.pid!));
  print('un\n');
  next.spool.read();
  t.equal(next.passed(), 'begun\n');
  logged(2);
  t.match(position(), { newest: 2, offset: 6 });
});

for (const beginning of ['begun', `${'x'.repeat(290_000)} ${'y'.repeat(10_000)}`])
  t.test(`a spool is shortened once it is large, up to a line of ${beginning.length} bytes`, async (t) => {
    const { open, print, logged, files, writer, log, position } = createSpools(t);
    let passed = '';
    const { spool } = open({
      onData(bytes) {
        passed += bytes.toString();
        Object.assign(log, { newest: passed.split('\n').length - 1, isMidLine: !passed.endsWith('\n') });
      },
    });
    for (let count = 0; count < 12_000; count += 1_000) print(`${'x'.repeat(99)}\n`.repeat(1_000));
    print(beginning);
    spool.read();
    const kept = beginning.length > 256 * 1024 ? 10_000 : beginning.length; // no word is cut
    await until('it is shortened', () => statSync(files.output).size === kept);
    t.strictSame(position(), { newest: 12_000, offset: 0, shortenedTo: undefined, isGivenUp: false });
    await until('the writer continues', () => !isStopped(writer.pid!));
    print(' and ended\n');
    spool.read();
    t.equal(passed.length, 1_200_000 + beginning.length + 11);
    spool.close();
    const next = open();
    next.spool.read();
    t.equal(next.passed(), `${beginning.slice(-kept)} and ended\n`, 'it is not on record that this is logged');
    logged(12_001);
    t.match(position(), { newest: 12_001, offset: kept + 11 });
  });
