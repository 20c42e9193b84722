import t from 'tap';
import { withStarts } from '../../../../gateway/panel/src/api/started-at.ts';

type Instances = Parameters<typeof withStarts>[0];

const NOW = 1_000_000;

function read(uptimeSeconds: number | undefined): Instances {
  return [{ id: 'demo', ...(uptimeSeconds !== undefined && { uptimeSeconds }) }] as unknown as Instances;
}

t.test('a server that runs on is equal to itself, read again', (t) => {
  const before = withStarts(read(10), { now: NOW });
  t.strictSame(before, [{ id: 'demo', startedAt: 990_000 }]);
  t.strictSame(withStarts(read(70), { before, now: NOW + 61_900 }), before);
  t.strictSame(withStarts(read(71), { before, now: NOW + 59_200 }), before);
  t.end();
});

t.test('another start is shown', (t) => {
  const before = withStarts(read(10), { now: NOW });
  t.strictSame(withStarts(read(0), { before, now: NOW + 5_000 }), [{ id: 'demo', startedAt: 1_005_000 }]);
  t.strictSame(withStarts(read(undefined), { before, now: NOW }), [{ id: 'demo' }]);
  t.strictSame(withStarts(read(3), { before: [{ id: 'demo' }] as typeof before, now: NOW }), [
    { id: 'demo', startedAt: 997_000 },
  ]);
  t.end();
});
