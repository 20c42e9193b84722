import t from 'tap';
import { root } from '../../../packaging/prepare.mjs';
import { quickFiles, slowestFirst, takeNext, testFilesIn } from '../../../packaging/testing/select-files.ts';

t.test('a folder selects the test files below it, without fixtures and packages', async (t) => {
  const project = t.testdir({
    test: {
      'b.test.ts': '',
      'support.ts': '',
      a: { 'c.test.ts': '' },
      fixtures: { 'd.test.ts': '' },
      real: { node_modules: { 'e.test.ts': '' } },
    },
  });
  t.same(testFilesIn(project, 'test/'), ['test/a/c.test.ts', 'test/b.test.ts']);
  t.same(testFilesIn(project, 'test/b.test.ts'), ['test/b.test.ts']);
});

t.test('files that run whole systems come first', async (t) => {
  const files = [
    'test/daemon/a.test.ts',
    'test/integration/b.test.ts',
    'test/shared/c.test.ts',
    'test/security/d.test.ts',
  ];
  t.same(slowestFirst(files), [files[1], files[3], files[0], files[2]]);
});

t.test('a test that runs other programs is not quick', async (t) => {
  const project = t.testdir({
    shared: { 'pure.ts': '', 'spawns.ts': "import { spawn } from 'node:child_process';" },
    workers: { 'terminal.ts': "export {\n  spawn,\n} from 'node-pty';", 'lazy.ts': "await import('piscina');" },
    test: {
      'pure.test.ts': "import '../shared/pure.ts';\nimport type { X } from 'node-pty';\nimport './missing.ts';",
      'injects.test.ts': "import '../shared/spawns.ts'; // it replaces the function that spawns",
      'spawns.test.ts': "import { execFile } from 'node:child_process';",
      'support.ts': "import { spawn } from 'node:child_process';",
      'by-support.test.ts': "import { start } from './support.ts';",
      'terminal.test.ts': "import '../workers/terminal.ts';",
      'lazy.test.ts': "import '../workers/lazy.ts';",
      integration: { 'pure.test.ts': '' },
    },
  });
  t.same(quickFiles(project, testFilesIn(project, 'test')), ['test/injects.test.ts', 'test/pure.test.ts']);
});

t.test('in this repository, pure logic is quick and a real process is not', async (t) => {
  const quick = quickFiles(root, testFilesIn(root, 'test'));
  const has = (folder: string) => quick.some((file) => file.startsWith(folder));
  for (const folder of [
    'test/daemon/',
    'test/gateway/',
    'test/shared/domain/',
    'test/workers/jobs/',
    'test/packaging/',
  ])
    t.ok(has(folder), folder);
  for (const folder of ['test/integration/', 'test/security/', 'test/browser/', 'test/real/', 'test/gateway/process'])
    t.notOk(has(folder), folder);
});

t.test('one browser runs at a time, from the beginning, as long as there is other work', (t) => {
  const waiting = ['test/integration/a', 'test/integration/b', 'test/browser/a', 'test/browser/b', 'test/shared/a'];
  const running = new Set<string>();
  const next = () => {
    const file = takeNext(waiting, running);
    if (file !== undefined) running.add(file);
    return file;
  };
  t.same([next(), next(), next()], ['test/browser/a', 'test/integration/a', 'test/integration/b']);
  running.delete('test/browser/a');
  t.equal(next(), 'test/browser/b');
  waiting.unshift('test/browser/c');
  t.equal(next(), 'test/shared/a');
  t.equal(next(), 'test/browser/c', 'nothing else is left');
  t.equal(next(), undefined);
  t.end();
});
