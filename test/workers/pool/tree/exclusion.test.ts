import t from 'tap';
import { createExclusion } from '../../../../workers/pool/tree/exclusion.ts';

t.test('a glob without a slash matches names at any depth, one with a slash matches paths', async (t) => {
  const exclude = createExclusion(['*.bak', '/crash-reports/', './logs', 'world/playerdata/*.dat_old']);
  t.equal(exclude('a/b/c.bak'), 'unwanted');
  t.equal(exclude('crash-reports'), 'unwanted');
  t.equal(exclude('mods/crash-reports'), undefined);
  t.equal(exclude('logs'), 'unwanted');
  t.equal(exclude('world/playerdata/x.dat_old'), 'unwanted');
  t.equal(exclude('world/level.dat_old'), undefined);
});

t.test('lock files are always left out', async (t) => {
  const exclude = createExclusion([]);
  for (const name of [
    'session.lock',
    'world/session.lock',
    'db/LOCK',
    'logs/server.log.lck',
    '.nfs000001',
    'a/.fuse_hidden01',
  ])
    t.equal(exclude(name), 'transient', name);
  for (const name of ['yarn.lock', 'lock', 'unLOCK', 'session.lock.txt', 'world'])
    t.equal(exclude(name), undefined, name);
});

t.test('the trash and uploads under way are left out, at the top only', async (t) => {
  const exclude = createExclusion([]);
  t.equal(exclude('.gamekeeper-files'), 'unwanted');
  t.equal(exclude('plugins/.gamekeeper-files'), undefined);
});
