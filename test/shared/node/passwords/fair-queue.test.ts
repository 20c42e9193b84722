import t from 'tap';
import { createFairQueue } from '../../../../shared/node/passwords/fair-queue.ts';

/** Takes everything that waits. */
function drain<T>(queue: { take(): T | undefined }): T[] {
  const taken: T[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

t.test('the group that has asked least is next', (t) => {
  const queue = createFairQueue<string>({ most: 10, mostOfGroup: 4 });
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) t.equal(queue.add(item[0]!, item), undefined);
  t.same(drain(queue), ['c1', 'b1', 'b2', 'a1', 'a2', 'a3']);
  t.equal(queue.take(), undefined);
  for (const item of ['c2', 'a4']) queue.add(item[0]!, item);
  t.same(drain(queue), ['c2', 'a4'], 'counted anew once nothing waits');
  t.end();
});

t.test('an item waits while its group is busy', (t) => {
  const queue = createFairQueue<string>({ most: 10, mostOfGroup: 4 });
  for (const item of ['a1', 'b1', 'b2']) queue.add(item[0]!, item);
  const isBusy = (group: string) => group === 'a';
  t.same([queue.take(isBusy), queue.take(isBusy), queue.take(isBusy)], ['b1', 'b2', undefined]);
  t.equal(queue.take(), 'a1');
  t.end();
});

t.test('a full queue refuses the last in line, not the newcomer', (t) => {
  const queue = createFairQueue<string>({ most: 3, mostOfGroup: 2 });
  for (const item of ['a1', 'a2', 'b1']) t.equal(queue.add(item[0]!, item), undefined);
  t.equal(queue.add('a', 'a3'), 'a3', 'a group has its own limit');
  t.equal(queue.add('c', 'c1'), 'a2');
  t.equal(queue.add('d', 'd1'), 'a1');
  t.equal(queue.add('e', 'e1'), 'e1', 'if all have asked once, the order of arrival counts');
  t.equal(queue.add('e', 'e2'), 'e2');
  t.same(drain(queue), ['b1', 'c1', 'd1']);
  t.end();
});

t.test('asking again and again does not help, even if all groups have too much', (t) => {
  const queue = createFairQueue<string>({ most: 3, mostOfGroup: 2 });
  for (let round = 0; round < 2; round++) for (const group of ['a', 'b', 'c', 'd']) queue.add(group, group);
  t.ok(/^[a-d]$/.test(queue.add('new', 'newcomer') ?? ''));
  t.equal(queue.take(), 'newcomer');
  t.end();
});

t.test('any number of groups does not fill the memory', (t) => {
  const queue = createFairQueue<number>({ most: 4, mostOfGroup: 1 });
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100_000; n++) {
    queue.add(`group ${n} ${'x'.repeat(50)}`, n);
    queue.take();
  }
  const grownMb = (process.memoryUsage().heapUsed - before) / 1e6;
  t.ok(grownMb < 60, `${grownMb.toFixed(1)} MB for 100,000 groups`);
  t.end();
});
