/** CVE-2024-27102: everything that can be done with files, while a thread swaps folders for links to another place as fast as it can. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { makeFolder, moveEntry } from '../../workers/files/folder/change-folder.ts';
import { copyEntry } from '../../workers/files/folder/copy-entry.ts';
import { listFolder } from '../../workers/files/folder/list-folder.ts';
import { openFile } from '../../workers/files/folder/open-file.ts';
import { restoreVersion } from '../../workers/files/history/restore-version.ts';
import { expireVersions, listVersions } from '../../workers/files/history/versions.ts';
import { folderUsage } from '../../workers/files/search/folder-usage.ts';
import { searchFiles } from '../../workers/files/search/search-files.ts';
import { closeStaged, commitStaged, createStaged, discardStaged } from '../../workers/files/staging/staged-files.ts';
import { removeLeftovers } from '../../workers/files/staging/under-construction.ts';
import { moveToTrash, restoreFromTrash } from '../../workers/files/trash/trash.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';

const RUN_MS = 12_000;
const OUTSIDE = 'of somebody else';
const INSIDE = 'of the server';
const SIGNAL = new AbortController().signal;

/** Swaps `a` for a link to another folder and back, and the same for the folder of Gamekeeper itself. */
const SWAPPER = `
  const { renameSync, symlinkSync, rmSync } = require('node:fs');
  const { workerData: { root, outside, stop } } = require('node:worker_threads');
  const halt = new Int32Array(stop);
  const quietly = (work) => { try { work(); } catch {} };
  while (halt[0] === 0) {
    for (const name of ['a', '.gamekeeper-files']) {
      quietly(() => renameSync(root + '/' + name, root + '/' + name + '-away'));
      quietly(() => symlinkSync(outside, root + '/' + name));
      quietly(() => rmSync(root + '/' + name, { force: true }));
      quietly(() => renameSync(root + '/' + name + '-away', root + '/' + name));
    }
  }
`;

t.test('nothing outside is read or written', { timeout: 240_000 }, async (t) => {
  const root = path.join(temporaryFolder(t), 'server');
  const outside = path.join(temporaryFolder(t), 'outside');
  for (const folder of [
    path.join(root, 'a/sub'),
    path.join(outside, 'sub'),
    path.join(outside, 'staged'),
    path.join(outside, 'trash'),
    path.join(outside, 'history'),
  ])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(root, 'a/file'), INSIDE);
  writeFileSync(path.join(outside, 'file'), OUTSIDE);
  writeFileSync(path.join(outside, 'sub/file'), OUTSIDE);
  const snapshot = () =>
    readdirSync(outside, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => [name, statSync(path.join(outside, name)).mtimeMs, statSync(path.join(outside, name)).mode]);
  const before = snapshot();

  const stop = new SharedArrayBuffer(4);
  const swapper = new Worker(SWAPPER, { eval: true, workerData: { root, outside, stop } });
  const ended = new Promise((resolve) => swapper.once('exit', resolve));
  const count = { done: 0, refused: 0 };
  const attempt = async (work: () => unknown) => {
    try {
      await work();
      count.done++;
    } catch {
      count.refused++;
    }
  };
  const seen = new Set<string>();
  const until = Date.now() + RUN_MS;
  for (let n = 0; Date.now() < until; n++) {
    await attempt(() => {
      using file = openFile(root, 'a/file');
      seen.add(readFileSync(file.descriptor, 'utf8'));
    });
    await attempt(async () => {
      const { entries } = await listFolder(root, 'a', { sort: 'size', order: 'asc', limit: 100 }, SIGNAL);
      for (const { name } of entries) seen.add(`name ${name}`);
    });
    await attempt(async () => {
      const staged = createStaged(root);
      writeFileSync(staged.descriptor, INSIDE);
      await closeStaged(staged);
      await commitStaged(staged, { path: `a/new-${n % 8}` }).finally(() => discardStaged(staged));
    });
    await attempt(async () => {
      const found = await searchFiles(root, { path: 'a', contains: 'of', limit: 9, secrets: undefined }, SIGNAL);
      for (const { lines = [] } of found.matches) for (const { text } of lines) seen.add(text);
    });
    await attempt(async () => {
      for (const { name } of (await folderUsage(root, 'a', SIGNAL)).entries) seen.add(`name ${name}`);
    });
    await attempt(async () => {
      const [{ version } = { version: '' }] = listVersions(root, `a/new-${n % 8}`);
      await restoreVersion(root, `a/new-${n % 8}`, version);
    });
    await attempt(() => expireVersions(root, Date.now()));
    await attempt(() => removeLeftovers(root, Date.now()));
    await attempt(() => makeFolder(root, `a/folder-${n % 8}`));
    await attempt(() => moveEntry(root, `a/new-${n % 8}`, `a/sub/moved-${n % 8}`));
    await attempt(() => copyEntry(root, { from: 'a/sub', to: `copy-${n}` }, SIGNAL));
    await attempt(() => copyEntry(root, { from: 'a/file', to: `a/copied-${n % 8}` }, SIGNAL));
    await attempt(async () => {
      const trashId = moveToTrash(root, `a/folder-${n % 8}`, { by: 'anna', now: Date.now() });
      await restoreFromTrash(root, trashId);
    });
  }
  Atomics.store(new Int32Array(stop), 0, 1);
  await ended;
  t.same(snapshot(), before, 'nothing outside has changed');
  t.notOk(seen.has(OUTSIDE), 'nothing outside was read');
  t.ok(seen.has(INSIDE));
  const copies = readdirSync(root).filter((name) => name.startsWith('copy-'));
  for (const copy of copies)
    for (const name of readdirSync(path.join(root, copy)))
      t.not(readFileSync(path.join(root, copy, name), 'utf8'), OUTSIDE);
  t.comment(count);
  t.ok(count.done > 50 && count.refused > 50, 'some were in time and some were not');
});
