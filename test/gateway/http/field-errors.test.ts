import t from 'tap';
import * as z from 'zod';
import { fieldErrorsOf } from '../../../gateway/http/field-errors.ts';

const schema = z.strictObject({
  name: z.string().min(1).max(8).regex(/^\S*$/, 'must have no spaces'),
  password: z.string().min(8).optional(),
  port: z.int().max(65_535).optional(),
  share: z.number().positive().optional(),
  mode: z.enum(['pvp', 'pve']).optional(),
  hosts: z.array(z.string()).min(1).max(2).optional(),
  policy: z.strictObject({ restarts: z.int().min(0) }).optional(),
});
const errorsOf = (value: unknown) => schema.safeParse(value).error?.issues.flatMap(fieldErrorsOf) ?? [];
const rulesOf = (value: object) =>
  errorsOf({ name: 'Demo', ...value }).map(({ field, rule, limit }) => [field, rule, limit].join(' ').trim());

t.test('each kind of issue has its rule, with the limit', async (t) => {
  const cases: [object, string][] = [
    [{ name: undefined }, 'name required'],
    [{ name: '' }, 'name required'],
    [{ name: 'x'.repeat(9) }, 'name too_long 8'],
    [{ name: 'a b' }, 'name invalid_format'],
    [{ password: 'short' }, 'password too_short 8'],
    [{ port: 70_000 }, 'port too_big 65535'],
    [{ port: 1.5 }, 'port not_whole'],
    [{ share: 'half' }, 'share not_a_number'],
    [{ mode: 'ffa' }, 'mode invalid_choice'],
    [{ hosts: [] }, 'hosts too_few 1'],
    [{ hosts: ['a', 'b', 'c'] }, 'hosts too_many 2'],
    [{ policy: { restarts: -1 } }, 'policy.restarts too_small 0'],
    [{ hosts: 'a' }, 'hosts other'],
  ];
  for (const [value, expected] of cases) t.same(rulesOf(value), [expected], JSON.stringify(value));
});

t.test('a limit that is itself not allowed is not given as the least', async (t) => {
  t.same(rulesOf({ share: 0 }), ['share other']);
});

t.test('the detail can be read after the name of the field', async (t) => {
  t.match(errorsOf({}), [{ field: 'name', detail: 'is required' }]);
  t.match(errorsOf({ name: 'a b' }), [{ detail: 'must have no spaces' }]);
  t.match(errorsOf({ name: 'Demo', colour: 'red' }), [{ field: 'colour', detail: 'is not a known field' }]);
});

t.test('an issue of the whole value is about no field', async (t) => {
  t.same(errorsOf(undefined), []);
});
