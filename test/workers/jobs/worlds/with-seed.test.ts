import t from 'tap';
import { withSeed } from '../../../../workers/jobs/worlds/with-seed.ts';

t.test('the seed is set, and nothing else changes', async (t) => {
  t.equal(withSeed('#a\nmotd=\u00e9\nlevel-seed=1\nx=y\n', '-7'), '#a\nmotd=\u00e9\nlevel-seed=-7\nx=y\n');
  t.match(withSeed('x=y\n', 'hello'), /^x=y\n+level-seed=hello\n?$/);
  t.match(withSeed('', '5'), /^\n?level-seed=5\n?$/);
  t.equal(withSeed('level-seed=1\nlevel-seed=2\n', ''), 'level-seed=1\nlevel-seed=\n', 'the last one counts');
  t.equal(withSeed('level-seed=\n', 'Größe\u4f60'), 'level-seed=Gr\\u00f6\\u00dfe\\u4f60\n', 'in any encoding');
});
