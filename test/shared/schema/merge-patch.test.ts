import t from 'tap';
import { mergePatch } from '../../../shared/schema/merge-patch.ts';

t.test('the examples of RFC 7396 that are about objects', async (t) => {
  const examples: [object, object, object][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [document, change, expected] of examples)
    t.same(mergePatch({ ...document }, { ...change }, { ...document }), expected, JSON.stringify(change));
});

t.test('values that equal the default or the stored value are not written', async (t) => {
  const current = { port: 1, host: 'h', list: [{ a: 1, b: 2 }], inner: { x: true, y: [] } };
  t.same(mergePatch({ port: 1 }, current, current), { port: 1 });
  t.same(mergePatch({ port: 1 }, { ...current, inner: { x: false, y: [] } }, current), {
    port: 1,
    inner: { x: false },
  });
  t.same(mergePatch({}, { list: [{ b: 2, a: 1 }] }, current), {}, 'regardless of the order of keys');
  t.same(mergePatch({}, { list: [{ a: 1 }] }, current), { list: [{ a: 1 }] });
  t.same(
    mergePatch({}, { inner: { y: {} } }, current),
    { inner: { y: {} } },
    'an empty object differs from an empty list',
  );
});

t.test('no key reaches beyond the document', async (t) => {
  const change = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
  const merged = mergePatch({}, change, {});
  t.same(Object.keys(merged), ['__proto__', 'constructor']);
  t.notOk('polluted' in {});
  t.equal(Object.getPrototypeOf(merged), Object.prototype);
});
