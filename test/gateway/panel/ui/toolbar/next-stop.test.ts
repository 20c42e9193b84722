import t from 'tap';
import { nextStop } from '../../../../../gateway/panel/src/ui/toolbar/next-stop.ts';

t.test('the arrow keys go round, Home and End to the ends', (t) => {
  const count = 3;
  t.equal(nextStop('ArrowRight', { at: 0, count }), 1);
  t.equal(nextStop('ArrowRight', { at: 2, count }), 0);
  t.equal(nextStop('ArrowLeft', { at: 0, count }), 2);
  t.equal(nextStop('Home', { at: 2, count }), 0);
  t.equal(nextStop('End', { at: 0, count }), 2);
  t.equal(nextStop('ArrowRight', { at: 0, count: 1 }), 0);
  t.end();
});

t.test('other keys, and keys in fields and menus, stay as they are', (t) => {
  for (const key of ['Tab', 'Enter', 'ArrowDown', 'a']) t.equal(nextStop(key, { at: 0, count: 3 }), undefined, key);
  t.equal(nextStop('ArrowRight', { at: -1, count: 3 }), undefined);
  t.end();
});
