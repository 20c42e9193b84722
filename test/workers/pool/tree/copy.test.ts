import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { Progress } from '../../../../workers/pool/progress.ts';
import { copy } from '../../../../workers/pool/tree/copy.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, inventory } from '../round-trip.ts';

/** A folder to copy, and a function that copies it. */
function folder(t: Test, files: Record<string, string | Buffer>) {
  const source = fill(path.join(temporaryFolder(t), 'source'), files);
  const target = path.join(path.dirname(source), 'target');
  const progress = new Progress();
  return { source, target, progress, copying: () => copy({ source, target, progress: progress.memory }) };
}

t.test('a copy has the same content, permissions, times, empty folders and names', async (t) => {
  const { source, target, progress, copying } = folder(t, {
    'world/region/r.0.0.mca': Buffer.alloc(300_000, 7),
    'run.sh': '#!/bin/sh\n',
    'empty/': '',
    'back\\slash': 'x',
    'a: b?': 'y',
  });
  chmodSync(path.join(source, 'run.sh'), 0o750);
  chmodSync(path.join(source, 'empty'), 0o500);
  utimesSync(path.join(source, 'run.sh'), 1_000, 1_000);
  utimesSync(path.join(source, 'empty'), 2_000, 2_000);
  t.same(await copying(), { fileCount: 4, omitted: [], omittedCount: 0 });
  t.same(inventory(target), inventory(source));
  t.equal(statSync(path.join(target, 'run.sh')).mtimeMs, 1_000_000);
  t.equal(statSync(path.join(target, 'empty')).mtimeMs, 2_000_000);
  t.equal(progress.done, progress.total);
  chmodSync(path.join(source, 'empty'), 0o700);
  chmodSync(path.join(target, 'empty'), 0o700);
});

t.test('names that are not UTF-8 are copied, too', async (t) => {
  const { source, target, copying } = folder(t, {});
  const latin = (folder: string) => Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]);
  mkdirSync(source);
  mkdirSync(latin(source));
  writeFileSync(Buffer.concat([latin(source), Buffer.from('/x')]), 'x');
  t.same(await copying(), { fileCount: 1, omitted: [], omittedCount: 0 });
  t.ok(existsSync(Buffer.concat([latin(target), Buffer.from('/x')])));
});

t.test('locks, sockets and pipes are not copied', async (t) => {
  const { source, target, copying } = folder(t, {
    'world/session.lock': '☃',
    'world/db/LOCK': '',
    'world/level.dat': 'x',
  });
  execFileSync('mkfifo', [path.join(source, 'pipe')]);
  await copying();
  t.same(Object.keys(inventory(target)), ['world', 'world/db', 'world/level.dat']);
});

t.test('links lead to the same place within the copy, and links to files elsewhere stay as they are', async (t) => {
  const { source, target, copying } = folder(t, { 'jars/paper.jar': 'x', 'world/level.dat': 'x' });
  const outside = fill(temporaryFolder(t), { 'plugin.jar': 'x' });
  symlinkSync('jars/paper.jar', path.join(source, 'server.jar'));
  symlinkSync(path.join(source, 'world'), path.join(source, 'jars/absolute'));
  symlinkSync(path.join(outside, 'plugin.jar'), path.join(source, 'plugin.jar'));
  symlinkSync('/nowhere', path.join(source, 'dangling'));
  await copying();
  const links = ['server.jar', 'jars/absolute', 'plugin.jar', 'dangling'].map((name) =>
    readlinkSync(path.join(target, name)),
  );
  t.same(links, ['jars/paper.jar', '../world', path.join(outside, 'plugin.jar'), '/nowhere']);
});

t.test('no link of the copy leads into the source, however it is written', async (t) => {
  const { source, target, copying } = folder(t, { 'world2/level.dat': 'x', 'a/b/': '' });
  symlinkSync('../source/world2', path.join(source, 'world'));
  symlinkSync('../../../source', path.join(source, 'a/b/up'));
  await copying();
  t.same(
    ['world', 'a/b/up'].map((name) => readlinkSync(path.join(target, name))),
    ['world2', '../..'],
  );
});

t.test('a broken link that would lead from the copy into another folder is refused', async (t) => {
  const { source } = folder(t, { 'level.dat': 'x' });
  symlinkSync('../lobby', path.join(source, 'world'));
  const instances = fill(temporaryFolder(t), { 'lobby/level.dat': 'x' });
  const copying = copy({ source, target: path.join(instances, 'copy'), progress: new Progress().memory });
  await t.rejects(copying, {
    code: 'invalid_state',
    message: /"world" leads out of the server's folder, to \.\.\/lobby/,
  });
});

t.test('a link to a folder elsewhere is refused: two servers would write to it', async (t) => {
  const { source, copying } = folder(t, { 'level.dat': 'x' });
  symlinkSync(temporaryFolder(t), path.join(source, 'world'));
  await t.rejects(copying(), { code: 'invalid_state', message: /"world" leads out of the server's folder/ });
});

t.test('a copy that does not fit is refused before anything is copied', async (t) => {
  const { source, target, copying } = folder(t, { 'a.txt': 'x' });
  writeFileSync(path.join(source, 'huge.bin'), '');
  truncateSync(path.join(source, 'huge.bin'), 8 * 1024 ** 4);
  await t.rejects(copying(), { code: 'insufficient_storage', message: /The copy needs up to 8\.0 TiB/ });
  t.same(inventory(target), {});
});
