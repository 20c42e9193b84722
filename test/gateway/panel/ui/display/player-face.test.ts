import t from 'tap';
import { FACE_SIZE, faceOf } from '../../../../../gateway/panel/src/ui/display/player-face.ts';

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
