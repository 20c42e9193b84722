import t from 'tap';
import * as z from 'zod';
import { maskSecrets, secretsIn, unmaskSecrets } from '../../../shared/schema/masked-secrets.ts';
import { MASKED, secret } from '../../../shared/schema/secret.ts';

const schema = z.strictObject({
  plain: z.string(),
  key: secret().optional(),
  list: z.array(secret()).default([]),
  named: z.record(z.string(), secret()).prefault({}),
  stores: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ name: z.string(), kind: z.literal('a'), password: secret().nullable() }),
        z.strictObject({
          name: z.string(),
          kind: z.literal('b'),
          inner: z.strictObject({ token: secret() }).readonly(),
        }),
      ]),
    )
    .optional(),
});
const document = {
  plain: 'seen',
  key: 'k1',
  list: ['l1', 'l2'],
  named: { one: 'n1' },
  stores: [
    { name: 'x', kind: 'a', password: 'p1' },
    { name: 'y', kind: 'b', inner: { token: 't1' } },
  ],
};
const masked = {
  plain: 'seen',
  key: MASKED,
  list: [MASKED, MASKED],
  named: { one: MASKED },
  stores: [
    { name: 'x', kind: 'a', password: MASKED },
    { name: 'y', kind: 'b', inner: { token: MASKED } },
  ],
};
const missing = (place: string) => new Error(place);
const unmask = (value: object) => unmaskSecrets(schema, value, { stored: document, missing });

t.test('secrets are hidden in options, arrays, records and unions, everything else is shown', async (t) => {
  t.same(maskSecrets(schema, document), masked);
  t.equal(document.key, 'k1', 'the document itself is unchanged');
  t.same(maskSecrets(schema, { plain: 'p', stores: [{ name: 'x', kind: 'no such', password: 'p1' }] }), {
    plain: 'p',
    stores: [{ name: 'x', kind: 'no such', password: MASKED }],
  });
  t.same(maskSecrets(schema, { plain: MASKED, constructor: 'x' }), { plain: MASKED, constructor: 'x' });
});

t.test('a mask that is sent back keeps the stored secret; elements correspond by name', async (t) => {
  t.same(unmask(masked), document);
  t.same(
    unmask({ key: 'k2', plain: MASKED }),
    { key: 'k2', plain: MASKED },
    'a new secret is kept, and the mask is plain text elsewhere',
  );
  t.same(unmask({ stores: [masked.stores[1], { ...masked.stores[0], password: 'p2' }] }), {
    stores: [document.stores[1], { name: 'x', kind: 'a', password: 'p2' }],
  });
});

t.test('a mask without a stored secret is refused with its place', async (t) => {
  t.throws(() => unmask({ stores: [{ name: 'new', kind: 'a', password: MASKED }] }), { message: 'stores.0.password' });
  t.throws(() => unmask({ named: { two: MASKED } }), { message: 'named.two' });
  t.throws(() => unmask({ list: [MASKED] }), { message: 'list.0' }, 'the removed element is ambiguous');
  t.throws(() => unmaskSecrets(schema, { key: MASKED }, { stored: {}, missing }), { message: 'key' });
});

t.test('the mask stands for nothing at another address, also if that is the default', async (t) => {
  const moving = z.object({
    stores: z.array(
      z.object({
        name: z.string().optional(),
        host: z.string(),
        port: z.int().default(22),
        endpoint: z.url().optional(),
        password: secret(),
      }),
    ),
  });
  const place = { name: 'x', host: 'here', port: 2222, endpoint: 'https://here.example', password: 'p1' };
  const send = (stored: object, sent: object) =>
    unmaskSecrets(moving, { stores: [{ ...sent, password: MASKED }] }, { stored: { stores: [stored] }, missing });
  t.same(send(place, place), { stores: [place] });
  const { port: _, ...withoutPort } = place;
  const { endpoint: __, ...withoutEndpoint } = place;
  for (const sent of [{ ...place, host: 'there' }, { ...place, port: 22 }, withoutPort, withoutEndpoint])
    for (const name of ['x', undefined])
      t.throws(() => send({ ...place, name }, { ...sent, name }), { message: 'stores.0.password' });
  const usual = { ...place, port: 22 };
  t.same(send(usual, withoutPort), { stores: [{ ...withoutPort, password: 'p1' }] }, 'the default is the same place');
});

t.test('all secrets of a document can be listed, to be hidden elsewhere', async (t) => {
  t.same(secretsIn(schema, document).sort(), ['k1', 'l1', 'l2', 'n1', 'p1', 't1']);
  t.same(secretsIn(schema, { plain: 'seen' }), []);
});
