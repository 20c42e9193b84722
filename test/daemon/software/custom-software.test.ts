import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { followCustomSoftware } from '../../../daemon/software/custom-software.ts';
import { readCustomSoftware } from '../../../daemon/software/read-custom-software.ts';
import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { until } from '../../support/machine/until.ts';

const MINE = { kind: 'mine', extends: 'demo', title: 'Mine' };

function folderWith(t: Test, files: Record<string, object | string>): string {
  const folder = path.join(temporaryFolder(t), 'software');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) write(folder, name, content);
  return folder;
}

function write(folder: string, name: string, content: object | string): void {
  writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

t.test('each file is a kind that can extend a shipped or custom one, in any order', async (t) => {
  const folder = folderWith(t, {
    'a.json': { kind: 'more', extends: 'mine', title: 'More', stopCommand: 'end' },
    'b.json': MINE,
    'notes.txt': 'not looked at',
  });
  const { kinds, problems } = await readCustomSoftware(folder);
  t.same(problems, []);
  t.match(kinds, [
    { kind: 'mine', title: 'Mine', stopCommand: 'stop', launch: { type: 'embedded' } },
    { kind: 'more', title: 'More', stopCommand: 'end', launch: { type: 'embedded' } },
  ]);
});

t.test('an unusable file is reported with its key, and no file replaces an existing kind', async (t) => {
  const folder = folderWith(t, {
    'broken.json': '{',
    'list.json': [],
    'orphan.json': { kind: 'orphan', extends: 'nothing' },
    'paper.json': { ...MINE, kind: 'paper' },
    'same.json': MINE,
    'same-again.json': MINE,
    'slow.json': { ...MINE, kind: 'slow', readyPattern: '(a+)+$' },
    'up.json': {
      ...MINE,
      kind: 'up',
      extends: 'vanilla',
      install: { source: { type: 'fixed', versions: [] }, as: { type: 'file', name: '../x' } },
    },
    'wrong.json': { ...MINE, kind: 'wrong', stopCommand: 7, colour: 'red' },
  });
  execFileSync('mkfifo', [path.join(folder, 'pipe.json')]);
  const { kinds, problems } = await readCustomSoftware(folder);
  t.same(
    kinds.map(({ kind }) => kind),
    ['mine'],
  );
  const told = Object.fromEntries(problems.map(({ file, problem }) => [file, problem]));
  t.match(told, {
    'broken.json': /^it is not a JSON object: /,
    'list.json': 'it is not a JSON object: it is not an object',
    'orphan.json': 'extends: unknown kind "nothing"',
    'paper.json': 'kind: "paper" ships with Gamekeeper and cannot be replaced. Choose another name',
    'pipe.json': /^it cannot be read\. It must be an ordinary file/,
    'same.json': 'kind: another file already defines "mine"',
    'slow.json': /^readyPattern: "\(a\+\)\+\$" /,
    'up.json': /^install\.source\.versions: .*; install\.as\.name: must be a path in the folder of the server/,
    'wrong.json': /^stopCommand: .*string.*; Unrecognized key: "colour"/,
  });
  t.equal(problems.length, 9);
});

t.test('a missing folder has no kinds', async (t) => {
  t.same(await readCustomSoftware(path.join(temporaryFolder(t), 'nowhere')), { kinds: [], problems: [] });
});

t.test('changes are noticed and reported, and a problem is logged once', async (t) => {
  const folder = folderWith(t, { 'mine.json': MINE, 'bad.json': '{' });
  const warned: unknown[] = [];
  const log = createLogger({ name: 'test', level: 'silent' });
  log.warn = ((details: unknown) => void warned.push(details)) as typeof log.warn;
  let changes = 0;
  const files = await followCustomSoftware({ folder, log });
  files.onChange(async () => void changes++);
  t.teardown(files.close);
  t.equal(softwareOf('mine')?.title, 'Mine');
  t.equal(changes, 0);
  write(folder, 'mine.json', { ...MINE, title: 'Ours' });
  await until('the change is known', () => softwareOf('mine')?.title === 'Ours');
  rmSync(path.join(folder, 'mine.json'));
  t.match(await files.read(), { kinds: [] }, 'read() returns changes at once');
  t.equal(softwareOf('mine'), undefined);
  await until('both changes were reported', () => changes === 2);
  t.match(warned, [{ file: 'bad.json' }]);
});
