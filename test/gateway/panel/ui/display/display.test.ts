import t from 'tap';
import { FACE_SIZE, faceOf } from '../../../../../gateway/panel/src/ui/display/player-face.ts';
import { sparklinePath } from '../../../../../gateway/panel/src/ui/display/sparkline-path.ts';

const NAMES = ['Steve', 'Alex', 'Notch', 'Herobrine', 'x', '玩家'];

t.test('a name always has the same face, and names have different ones', (t) => {
  for (const name of NAMES) t.same(faceOf(name), faceOf(name));
  t.equal(new Set(NAMES.map((name) => JSON.stringify(faceOf(name)))).size, NAMES.length);
  t.end();
});

t.test('a face is symmetrical, and its hair leaves the eyes free', (t) => {
  for (const name of NAMES) {
    const { dots, skin, hair } = faceOf(name);
    const places = new Set(dots.map(([x, y]) => `${x} ${y}`));
    for (const [x, y] of dots) t.ok(places.has(`${FACE_SIZE - 1 - x} ${y}`), `${name}: ${x} ${y}`);
    t.notOk(
      [1, 2, 5, 6].some((x) => places.has(`${x} 4`)),
      name,
    );
    t.match([skin, hair], [/^#/, /^#/]);
  }
  t.end();
});

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
