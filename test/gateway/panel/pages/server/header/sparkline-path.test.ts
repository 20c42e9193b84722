import t from 'tap';
import { sparklinePath } from '../../../../../../gateway/panel/src/pages/server/header/sparkline-path.ts';

t.test('the line runs over the whole width, zero at the bottom', (t) => {
  t.equal(sparklinePath([0, 50, 100], 100), 'M0.0 17.0L24.0 9.0L48.0 1.0');
  t.end();
});

t.test('a larger value than the expected one lowers the others', (t) => {
  t.equal(sparklinePath([100, 200], 100), 'M0.0 9.0L48.0 1.0');
  t.end();
});

t.test('unknown values break the line', (t) => {
  t.equal(sparklinePath([null, 0, null, 0, 0], 1), 'M12.0 17.0M36.0 17.0L48.0 17.0');
  t.equal(sparklinePath([], 1), '');
  t.equal(sparklinePath([0], 1), 'M0.0 17.0');
  t.end();
});
