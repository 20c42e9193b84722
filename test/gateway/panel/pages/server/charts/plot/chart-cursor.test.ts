import t from 'tap';
import { nextIndex } from '../../../../../../../gateway/panel/src/pages/server/charts/plot/chart-cursor.ts';

t.test('arrow and page keys move the cursor within the chart', (t) => {
  const moves: [key: string, from: number, to: number][] = [
    ['ArrowLeft', 5, 4],
    ['ArrowDown', 5, 4],
    ['ArrowRight', 5, 6],
    ['ArrowUp', 5, 6],
    ['PageDown', 25, 15],
    ['PageUp', 25, 35],
    ['PageDown', 5, 0],
    ['PageUp', 35, 40],
    ['Home', 5, 0],
    ['End', 5, 40],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 40, 40],
    ['ArrowLeft', 41, 40],
  ];
  for (const [key, from, to] of moves) t.equal(nextIndex(key, from, { first: 0, last: 40 }), to, `${key} from ${from}`);
  t.end();
});

t.test('in a zoomed chart they move within the shown points', (t) => {
  const shown = { first: 10, last: 20 };
  t.equal(nextIndex('Home', 15, shown), 10);
  t.equal(nextIndex('End', 15, shown), 20);
  t.equal(nextIndex('ArrowLeft', 10, shown), 10);
  t.equal(nextIndex('ArrowRight', 3, shown), 10, 'the cursor was outside');
  t.end();
});

t.test('other keys do not', (t) => {
  for (const key of ['Escape', 'Tab', 'a', ' ']) t.equal(nextIndex(key, 5, { first: 0, last: 40 }), undefined, key);
  t.end();
});
