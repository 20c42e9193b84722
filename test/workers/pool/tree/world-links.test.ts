import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { exportFolder } from '../../../../workers/pool/archive/export.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import type { ExportTask } from '../../../../workers/pool/task-types.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, inventory, pack, unpack } from '../round-trip.ts';

t.test('what a link leads to outside of the folder is listed as missing from the archive', async (t) => {
  const folder = temporaryFolder(t);
  const outside = fill(path.join(folder, 'outside'), { 'tiles/0.png': 'x', 'shared.jar': 'x' });
  const source = fill(path.join(folder, 'source'), { 'world/level.dat': 'x', 'plugins/a.jar': 'x' });
  symlinkSync(path.join(outside, 'tiles'), path.join(source, 'plugins/map'));
  symlinkSync('../../outside/shared.jar', path.join(source, 'plugins/shared.jar'));
  symlinkSync('plugins/map', path.join(source, 'through'));
  symlinkSync('world', path.join(source, 'inside'));
  symlinkSync('/nowhere/at/all', path.join(source, 'dangling'));
  const archive = path.join(folder, 'a.zip');
  const { omitted, omittedCount, leftOut } = await pack(source, archive);
  t.same(omitted, [
    { path: 'plugins/map', reason: 'outside-link' },
    { path: 'plugins/shared.jar', reason: 'outside-link' },
    { path: 'through', reason: 'outside-link' },
  ]);
  t.equal(omittedCount, 3);
  t.same(leftOut, [], 'the links themselves are in the archive');
  await unpack(archive, path.join(folder, 'back'));
  t.same(inventory(path.join(folder, 'back')), inventory(source));
});

const WORLDS: Record<string, (folders: { source: string; outside: string }) => void> = {
  'the folder that level-name names': ({ source, outside }) => {
    fill(source, { 'server.properties': 'level-name=lobby\n' });
    symlinkSync(outside, path.join(source, 'lobby'));
  },
  'a folder above the one that level-name names': ({ source, outside }) => {
    fill(source, { 'server.properties': 'level-name=worlds/lobby\n' });
    symlinkSync(outside, path.join(source, 'worlds'));
  },
  'a folder with a level.dat': ({ source, outside }) => {
    fill(outside, { 'level.dat': 'x' });
    symlinkSync(outside, path.join(source, 'somewhere'));
  },
  'a folder with a session.lock in a subfolder': ({ source, outside }) => {
    fill(outside, { 'arena/session.lock': 'x' });
    symlinkSync(outside, path.join(source, 'worlds'));
  },
  "a world's regions": ({ source, outside }) => {
    fill(outside, { 'r.0.0.mca': 'x' });
    fill(source, { 'world/level.dat': 'x' });
    symlinkSync(outside, path.join(source, 'world/region'));
  },
  'a world of Luanti': ({ source, outside }) => {
    fill(outside, { 'world.mt': 'x' });
    symlinkSync(outside, path.join(source, 'games'));
  },
  'the level.dat itself': ({ source, outside }) => {
    fill(outside, { 'level.dat': 'x' });
    mkdirSync(path.join(source, 'world'));
    symlinkSync(path.join(outside, 'level.dat'), path.join(source, 'world/level.dat'));
  },
};

for (const [what, arrange] of Object.entries(WORLDS)) {
  t.test(`a backup fails if a link out of the folder leads to the world: ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    const [source, outside] = [path.join(folder, 'source'), path.join(folder, 'outside')];
    for (const one of [source, outside]) mkdirSync(one);
    arrange({ source, outside });
    await t.rejects(pack(source, path.join(folder, 'a.zip')), {
      code: 'invalid_state',
      message: /is a link that leads out of the server's folder, so the world would not be in the backup/,
      resolution: /backups\.exclude/,
    });
  });
}

t.test('a world behind a link may be excluded by the owner', async (t) => {
  const folder = temporaryFolder(t);
  const outside = fill(path.join(folder, 'outside'), { 'level.dat': 'x' });
  const source = fill(path.join(folder, 'source'), { 'a.txt': 'x' });
  symlinkSync(outside, path.join(source, 'world'));
  t.match(await pack(source, path.join(folder, 'a.zip'), ['world']), { omitted: [], leftOut: ['world'] });
});

t.test('names that a ZIP cannot hold are listed with their reason, in printable characters', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'back\\slash\n\u202egnp.txt': 'x', 'c.txt': 'x' });
  if (process.platform === 'linux')
    writeFileSync(Buffer.concat([Buffer.from(`${source}/caf`), Buffer.from([0xe9])]), 'x');
  const { omitted } = await pack(source, path.join(folder, 'a.zip'));
  t.same(omitted, [
    { path: 'back\\slash%0A%E2%80%AEgnp.txt', reason: 'unsupported-name' },
    ...(process.platform === 'linux' ? [{ path: 'caf%E9', reason: 'unsupported-name' }] : []),
  ]);
});

t.test('of many omitted files the first hundred are listed, and all are counted', async (t) => {
  const folder = temporaryFolder(t);
  const names = Array.from({ length: 250 }, (_, n) => [`a\\${String(n).padStart(3, '0')}`, 'x']);
  const source = fill(path.join(folder, 'source'), Object.fromEntries(names));
  const { omitted, omittedCount, leftOut } = await pack(source, path.join(folder, 'a.zip'));
  t.equal(omitted.length, 100);
  t.equal(omittedCount, 250);
  t.equal(leftOut.length, 250, 'a restore carries over all of them');
});

t.test('an export is refused if the world is a link to another folder of the server', async (t) => {
  const source = fill(path.join(temporaryFolder(t), 'source'), { 'maps/first/level.dat': 'x' });
  symlinkSync('maps/first', path.join(source, 'world'));
  const manifest = { name: 'manifest.json', content: {}, at: 0 } as unknown as NonNullable<ExportTask['manifest']>;
  // It is refused before anything connects.
  const task = { source, socket: '/nowhere', manifest, progress: new Progress().memory };
  await t.rejects(exportFolder(task), { code: 'invalid_state', message: /^"world" is a link, and exports contain no/ });
});
