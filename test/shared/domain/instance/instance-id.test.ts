import fc from 'fast-check';
import t from 'tap';
import { deriveInstanceId, INSTANCE_ID_PATTERN } from '../../../../shared/domain/instance/instance-id.ts';

t.test('a name becomes a readable id', async (t) => {
  const free = () => false;
  t.equal(deriveInstanceId('Demo', free), 'demo');
  t.equal(deriveInstanceId("  Steve's Überwelt!! ", free), 'steve-s-uberwelt');
  t.equal(deriveInstanceId('我的服务器', free), 'server');
});

t.test('a taken id gets a number, even at the maximum length', async (t) => {
  const taken = new Set(['demo', 'demo-2', 'a'.repeat(32)]);
  t.equal(
    deriveInstanceId('Demo', (id) => taken.has(id)),
    'demo-3',
  );
  t.equal(
    deriveInstanceId('a'.repeat(64), (id) => taken.has(id)),
    `${'a'.repeat(30)}-2`,
  );
});

t.test('whatever the name, the id fits the pattern and is free', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 64 }),
      fc.array(fc.string(), { maxLength: 3 }),
      (name, others) => {
        const taken = new Set([...others, deriveInstanceId(name, () => false)]);
        const id = deriveInstanceId(name, (candidate) => taken.has(candidate));
        return INSTANCE_ID_PATTERN.test(id) && !taken.has(id);
      },
    ),
  );
});
