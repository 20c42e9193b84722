import t from 'tap';
import { createGlob } from '../../../../shared/domain/files/glob.ts';

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
    ['**', ['a', 'a/b', ''], []],
    ['a**z', ['az', 'a/b/z'], ['a/b']],
    ['*', ['a', 'line\nbreak'], ['a/b']],
    ['?.dat', ['🏝.dat'], ['🏝🏝.dat']],
    ['a/*/z', ['a/b/z'], ['a/z', 'a/b/c/z']],
    ['[x](y){z}+$^|.', ['[x](y){z}+$^|.'], ['x', '[x](y){z}+$^|a']],
  ];
  for (const [glob, matches, doesNot] of cases) {
    for (const name of matches) t.ok(createGlob(glob)(name), `${glob} matches ${name}`);
    for (const name of doesNot) t.notOk(createGlob(glob)(name), `${glob} does not match ${name}`);
  }
});

t.test('a glob with many stars is tested in an instant', async (t) => {
  const begun = performance.now();
  for (const glob of ['*a*a*a*a*a*a*a*a*b', '**/**/**/**/**/**/b', 'a**a**a**a**a**a**b'])
    t.notOk(createGlob(glob)('a/'.repeat(1_000)) || createGlob(glob)('a'.repeat(4_000)), glob);
  const took = performance.now() - begun;
  t.ok(took < 2_000, `${Math.round(took)} ms`);
});
