import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { hillsPath } from '../../../../../gateway/panel/src/ui/brand/hills.ts';
import { KEEP, markWithDot } from '../../../../../gateway/panel/src/ui/brand/mark.ts';
import { PICTURES } from '../../../../../gateway/panel/src/ui/brand/pictures.ts';
import { voxelsOf } from '../../../../../gateway/panel/src/ui/brand/voxels.ts';

const ICON = join(import.meta.dirname, '../../../../../gateway/panel/public/icon.svg');

t.test('the icon file, the logo and the icon with a state are one drawing', (t) => {
  t.ok(readFileSync(ICON, 'utf8').includes(KEEP));
  t.ok(markWithDot('#f00').includes(KEEP));
  t.end();
});

t.test('hills rise and fall in steps, down to the ground at both ends', (t) => {
  t.equal(hillsPath([1, 3], { step: 10, ground: 100 }), 'M0 100V90H10V70H20V100Z');
  t.end();
});

t.test('cubes in front are drawn over those behind', (t) => {
  t.same(
    voxelsOf([['gs'], ['d']]).map(({ x, y, z, material }) => [x, y, z, material]),
    [
      [0, 0, 0, 'g'],
      [1, 0, 0, 's'],
      [0, 0, 1, 'd'],
    ],
  );
  for (const [name, layers] of Object.entries(PICTURES)) {
    t.ok(layers.length <= 6, `${name} fits into its frame`);
    t.ok(voxelsOf(layers).length > 10, name);
  }
  t.end();
});
