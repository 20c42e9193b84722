import t from 'tap';
import { filePathProblem, isOwnName, splitFilePath } from '../../../../shared/domain/files/file-path.ts';

t.test('ordinary paths are accepted', async (t) => {
  for (const path of [
    '',
    'server.properties',
    'world/region/r.0.-1.mca',
    'a b',
    '..a',
    'a..',
    '...',
    'ü/日本',
    '-rf',
    'CON',
    'a\\b',
  ])
    t.equal(filePathProblem(path, 'linux'), undefined, path);
  t.equal(filePathProblem('x'.repeat(255), 'linux'), undefined);
});

t.test('paths that could lead elsewhere are refused with the reason', async (t) => {
  const cases: Record<string, RegExp> = {
    '/etc/passwd': /relative/,
    '..': /"\.\."/,
    'a/../b': /"\.\."/,
    './a': /"\."/,
    'a//b': /name between/,
    'a/': /name between/,
    'a\0b': /NUL/,
    '\udc2e\udc2e/x': /Unicode/,
    'a\udc2fb': /Unicode/,
    '\ud800': /Unicode/,
    ['x'.repeat(256)]: /255 bytes/,
    ['ü'.repeat(128)]: /255 bytes/,
    [`${'x/'.repeat(2_500)}x`]: /4095 bytes/,
    '.gamekeeper-files/trash': /Gamekeeper itself/,
    '.gamekeeper-restore-1/x': /Gamekeeper itself/,
  };
  for (const [path, problem] of Object.entries(cases))
    t.match(filePathProblem(path, 'linux'), problem, path.slice(0, 30));
});

t.test('our own folders are recognised in every spelling that a file system may take for the same', async (t) => {
  for (const name of [
    '.GAMEKEEPER-FILES',
    '.Gamekeeper-Restore-x',
    '.gamekeeper-\u200bfiles',
    '\uff0egamekeeper-files',
  ])
    t.ok(isOwnName(name), JSON.stringify(name));
  for (const name of ['gamekeeper-files', '.gamekeeper', '.gamekeeper.json']) t.notOk(isOwnName(name), name);
});

t.test('names of devices are refused where they are devices', async (t) => {
  for (const name of ['CON', 'nul.txt', 'COM1', 'lpt¹.log', 'aux', 'a:b', 'a\\..\\b', 'a.', 'a ', 'a*', 'CONIN$'])
    t.match(filePathProblem(`plugins/${name}`, 'win32'), /Windows allows/, name);
  for (const name of ['CONSOLE', 'common', 'null', '.minecraft'])
    t.equal(filePathProblem(name, 'win32'), undefined, name);
});

t.test('a path is split into folder and name', async (t) => {
  t.same(splitFilePath('a/b/c'), { folder: 'a/b', name: 'c' });
  t.same(splitFilePath('a'), { folder: '', name: 'a' });
});
