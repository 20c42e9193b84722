import { spawn } from 'node:child_process';
import { appendFileSync, openSync, statSync } from 'node:fs';
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
  const log = { newest: 0, unfinished: '', listeners: new Set<(newest: number) => void>() };
  return {
    log,
    files,
    writer,
    print: (text: string) => appendFileSync(files.output, text),
    logged(newest: number, unfinished = ''): void {
      Object.assign(log, { newest, unfinished });
      for (const listener of log.listeners) listener(newest);
    },
    position: () => readPosition(openSync(files.position, 'r')),
    open(change: Partial<SpoolOptions> = {}) {
      let passed = '';
      const descriptors = { output: openSync(files.output, 'r+'), position: openSync(files.position, 'r+') };
      const spool = new OutputSpool(descriptors, Buffer.alloc(64), {
        log: {
          lineNumber: () => log.newest,
          unfinishedLine: () => Buffer.from(log.unfinished),
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
  t.equal(first.spool.read(), 11);
  t.equal(first.passed(), 'one\ntwo\nthr');
  logged(7, 'thr');
  print('ee\nfour\n');
  first.spool.read();
  first.spool.close();
  t.match(position(), { newest: 7, offset: 11, unfinished: Buffer.from('thr') });
  const next = open();
  next.spool.read();
  t.equal(next.passed(), 'three\nfour\n');
});

t.test('lines that were logged after the position was noted are left out', async (t) => {
  const { open, print, logged } = createSpools(t);
  const first = open();
  print('one\ntw');
  first.spool.read();
  logged(1, 'tw');
  first.spool.close();
  print(`o\nthree\n${'x'.repeat(100)}\nfive\nsi`);
  const next = open({ loggedSince: 3 });
  next.spool.read();
  t.equal(next.passed(), 'five\nsi');
  print('x\n');
  next.spool.read();
  t.equal(next.passed(), 'five\nsix\n');
});

t.test('a spool that was emptied just before begins again, and its writer continues', async (t) => {
  const { open, print, logged, files, writer, position } = createSpools(t);
  const first = open();
  print('a long line\n');
  first.spool.read();
  logged(1);
  first.spool.close();
  writer.kill('SIGSTOP');
  await until('the writer has stopped', () => isStopped(writer.pid!));
  openSync(files.output, 'w');
  const next = open();
  await until('the writer continues', () => !isStopped(writer.pid!));
  print('short\n');
  next.spool.read();
  t.equal(next.passed(), 'short\n');
  logged(2);
  t.match(position(), { newest: 2, offset: 6 });
});

t.test('a spool is emptied once it is large, and nothing is lost', async (t) => {
  const { open, print, logged, files, writer, log, position } = createSpools(t);
  let lines = 0;
  let rest = '';
  const { spool } = open({
    onData(bytes) {
      rest += bytes.toString();
      lines += rest.split('\n').length - 1;
      rest = rest.slice(rest.lastIndexOf('\n') + 1);
      Object.assign(log, { newest: lines, unfinished: rest });
    },
  });
  for (let count = 0; count < 12_000; count += 1_000) print(`${'x'.repeat(99)}\n`.repeat(1_000));
  print('begun');
  spool.read();
  await until('it is empty', () => statSync(files.output).size === 0);
  t.match(position(), { newest: 12_000, offset: 0, unfinished: Buffer.from('begun') });
  await until('the writer continues', () => !isStopped(writer.pid!));
  print(' and ended\n');
  t.equal(spool.read(), 11);
  t.equal(lines, 12_001);
  logged(lines);
  spool.close();
});
