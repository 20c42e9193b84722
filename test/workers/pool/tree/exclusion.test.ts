import t from 'tap';
import { exclusion } from '../../../../workers/pool/tree/exclusion.ts';
import { globToRegExp } from '../../../../workers/pool/tree/glob.ts';

t.test('globs match as documented', async (t) => {
  const cases: [glob: string, matches: string[], doesNot: string[]][] = [
    ['*.tmp', ['a.tmp', '.tmp', '.hidden.tmp'], ['a.tmpx', 'a/b.tmp']],
    ['r.?.mca', ['r.1.mca'], ['r.10.mca', 'r.mca', 'r./.mca']],
    [
      'plugins/dynmap/**',
      ['plugins/dynmap', 'plugins/dynmap/a', 'plugins/dynmap/.a/b'],
      ['plugins/dynmap2', 'x/plugins/dynmap/a'],
    ],
    ['**/cache', ['cache', 'a/cache', 'a/b/cache'], ['a/cached', 'cache/a']],
    ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['a/bz', 'az']],
    ['a/*/z', ['a/b/z'], ['a/z', 'a/b/c/z']],
    ['[x](y){z}+$^|.', ['[x](y){z}+$^|.'], ['x', '[x](y){z}+$^|a']],
  ];
  for (const [glob, matches, doesNot] of cases) {
    for (const name of matches) t.match(name, globToRegExp(glob), `${glob} matches ${name}`);
    for (const name of doesNot) t.notMatch(name, globToRegExp(glob), `${glob} does not match ${name}`);
  }
});

t.test('a glob without a slash matches names at any depth, one with a slash matches paths', async (t) => {
  const exclude = exclusion(['*.bak', '/crash-reports/', './logs', 'world/playerdata/*.dat_old']);
  t.equal(exclude('a/b/c.bak'), 'unwanted');
  t.equal(exclude('crash-reports'), 'unwanted');
  t.equal(exclude('mods/crash-reports'), undefined);
  t.equal(exclude('logs'), 'unwanted');
  t.equal(exclude('world/playerdata/x.dat_old'), 'unwanted');
  t.equal(exclude('world/level.dat_old'), undefined);
});

t.test('lock files are always left out', async (t) => {
  const exclude = exclusion([]);
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
