import t from 'tap';
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
