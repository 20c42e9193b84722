import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { createArchive, requireArchivable } from '../../../../workers/jobs/files/create-archive.ts';
import { extractArchive } from '../../../../workers/jobs/files/extract-archive.ts';
import type { JobRun } from '../../../../workers/jobs/queue/job-entry.ts';
import type { Pool } from '../../../../workers/jobs/resources/pool.ts';
import { exportFolder } from '../../../../workers/pool/archive/export.ts';
import { extract } from '../../../../workers/pool/extract/extract.ts';
import { inspect } from '../../../../workers/pool/extract/inspect.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { mounted } from '../../../support/machine/mounted.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const MIB = 1024 * 1024;

/** The pool's tasks in this thread. `beforeEnd` runs when the ZIP is written, but not in its place yet. */
function world(t: Test, beforeEnd: () => void = () => undefined) {
  const directory = temporaryFolder(t);
  const controller = new AbortController();
  const tasks = { exportFolder, inspect, extract };
  const pool = {
    async run(name: keyof typeof tasks, task: never) {
      const result = await tasks[name](task);
      beforeEnd();
      return result;
    },
  } as unknown as Pool;
  const run = {
    signal: controller.signal,
    phase: () => ({ progress: new Progress() }),
    omits: () => undefined,
  } as unknown as JobRun;
  const home = homeAt(temporaryFolder(t));
  const at = (name: string) => path.join(directory, name);
  mkdirSync(at('plugins/shop'), { recursive: true });
  writeFileSync(at('plugins/shop/shop.yml'), 'price: 1\n');
  writeFileSync(at('plugins/session.lock'), 'x');
  symlinkSync('/etc/passwd', at('plugins/link'));
  const unfinished = () => readdirSync(at('.gamekeeper-files/unpacked'));
  return {
    ...{ at, controller, home, unfinished },
    create: (order: { path?: string; names?: string[]; to: string }) =>
      createArchive({ instanceId: 'demo', directory, path: '', ...order }, run, { pool, home }),
    extractTo: (to: string, archive: string) =>
      extractArchive({ instanceId: 'demo', directory, path: archive, to }, run, { pool, home }),
    require: (order: { path?: string; names?: string[]; to: string }) =>
      requireArchivable({ instanceId: 'demo', directory, path: '', ...order }),
  };
}

const namesIn = (zip: string) => execFileSync('unzip', ['-Z1', zip], { encoding: 'utf8' }).trim().split('\n').sort();

t.test('contains what was chosen, without links, readable for the game', async (t) => {
  const { at, create, unfinished } = world(t);
  await create({ path: 'plugins', names: ['shop', 'session.lock', 'link'], to: 'plugins/chosen.zip' });
  t.same(namesIn(at('plugins/chosen.zip')), ['session.lock', 'shop/', 'shop/shop.yml']);
  t.equal(statSync(at('plugins/chosen.zip')).mode & 0o777, 0o644);
  await create({ path: 'plugins', to: 'all.zip' });
  t.same(namesIn(at('all.zip')), ['chosen.zip', 'shop/', 'shop/shop.yml'], 'by itself, without locks');
  await create({ to: 'everything.zip' });
  t.notOk(namesIn(at('everything.zip')).some((name) => name.startsWith('.gamekeeper')));
  t.same(unfinished(), []);
});

t.test('replaces nothing, not even what appears meanwhile', async (t) => {
  const order = { names: ['plugins'], to: 'plugins.zip' };
  const { at, create, require, unfinished } = world(t, () => writeFileSync(at('plugins.zip'), 'of the game'));
  await require(order);
  await t.rejects(create(order), { code: 'file_exists' });
  await t.rejects(require(order), { code: 'file_exists' });
  t.equal(readFileSync(at('plugins.zip'), 'utf8'), 'of the game');
  t.same(unfinished(), []);
});

t.test('a cancelled job, one during a restore, and one that misses something leave nothing behind', async (t) => {
  const { at, create, controller, home, unfinished } = world(t, () => controller.abort(new Error('cancelled')));
  await t.rejects(create({ names: ['plugins', 'gone'], to: 'a.zip' }), { code: 'file_not_found' });
  await t.rejects(create({ names: ['plugins'], to: 'a.zip' }), { message: 'cancelled' });
  t.notOk(existsSync(at('a.zip')));
  t.same(unfinished(), []);
  const other = world(t, () => {
    mkdirSync(path.dirname(other.home.restoreMark('demo')), { recursive: true });
    writeFileSync(other.home.restoreMark('demo'), '');
  });
  await t.rejects(other.create({ names: ['plugins'], to: 'a.zip' }), { code: 'already_in_progress' });
  t.notOk(existsSync(other.at('a.zip')));
  t.ok(home);
});

t.test('bad names are refused before anything is written', async (t) => {
  const { at, require } = world(t);
  symlinkSync(temporaryFolder(t), at('out'));
  await t.rejects(require({ to: '../a.zip' }), { code: 'invalid_path' });
  await t.rejects(require({ to: 'out/a.zip' }), { code: 'invalid_path' });
  await t.rejects(require({ to: '' }), { code: 'invalid_path' });
  await t.rejects(require({ to: 'no/a.zip' }), { code: 'file_not_found' });
  await t.rejects(require({ path: 'out', to: 'a.zip' }), { code: 'invalid_path' });
  await t.rejects(require({ names: ['..'], to: 'a.zip' }), { code: 'invalid_path' });
  await t.rejects(require({ names: ['.gamekeeper-files'], to: 'a.zip' }), { code: 'invalid_path' });
  await t.rejects(require({ names: ['nothing'], to: 'a.zip' }), { code: 'file_not_found' });
});

t.test('a server whose folder is missing is reported', async (t) => {
  const { at, require, create, extractTo } = world(t);
  rmSync(at('.'), { recursive: true });
  for (const work of [require({ to: 'a.zip' }), create({ to: 'a.zip' }), extractTo('', 'a.zip')])
    await t.rejects(work, { code: 'file_not_found', message: /folder of this server is missing/ });
});

t.test('what is unpacked belongs to the owner of the folder', async (t) => {
  if (process.getuid?.() !== 0) {
    t.pass('only root can give files to others');
    return;
  }
  const { at, create, extractTo } = world(t);
  await create({ names: ['plugins'], to: 'all.zip' });
  execFileSync('zip', ['-q', '-D', '-r', 'files-only.zip', 'plugins/shop'], { cwd: at('') });
  for (const archive of ['all.zip', 'files-only.zip']) {
    for (const [owner, to] of [1234, 0].map((uid) => [uid, `${uid}-${archive}`] as const)) {
      mkdirSync(at(to));
      lchownSync(at(to), owner, owner);
      await extractTo(to, archive);
      for (const name of ['plugins', 'plugins/shop', 'plugins/shop/shop.yml'])
        t.match(statSync(at(`${to}/${name}`)), { uid: owner, gid: owner }, `${to}/${name}`);
      t.equal(statSync(at(`${to}/plugins`)).mode & 0o777, 0o755);
    }
  }
});

t.test('on another disk in the folder, archives are created and unpacked all the same', async (t) => {
  const { at, create, extractTo, unfinished } = world(t);
  if (!mounted(t, at('disk'), '-t', 'tmpfs', '-o', 'size=300m', 'tmpfs')) return;
  await create({ names: ['plugins'], to: 'disk/plugins.zip' });
  t.same(readdirSync(at('disk')), ['plugins.zip']);
  await extractTo('disk', 'disk/plugins.zip');
  t.equal(readFileSync(at('disk/plugins/shop/shop.yml'), 'utf8'), 'price: 1\n');
  t.same(readdirSync(at('disk')).sort(), ['plugins', 'plugins.zip']);
  t.same(unfinished(), []);
  writeFileSync(at('large'), Buffer.alloc(50 * MIB));
  await t.rejects(create({ names: ['large'], to: 'disk/large.zip' }), { code: 'insufficient_storage' });
  t.same(readdirSync(at('disk')).sort(), ['plugins', 'plugins.zip'], 'the game keeps space to save');
});
