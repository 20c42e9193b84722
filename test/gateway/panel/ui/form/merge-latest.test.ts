import t from 'tap';
import { uneditedFields } from '../../../../../gateway/panel/src/ui/form/merge-latest.ts';

t.test('fields that the user has not edited follow the latest values', (t) => {
  const seen = { name: 'Demo', port: 1, hosts: ['a'] };
  const typed = { name: 'Mine', port: 1, hosts: ['a'] };
  const latest = { name: 'Theirs', port: 2, hosts: ['a', 'b'] };
  t.same(uneditedFields(latest, { typed, seen }), { port: 2, hosts: ['a', 'b'] });
  t.end();
});

t.test('an edit that was undone counts as none', (t) => {
  const seen = { name: 'Demo' };
  t.same(uneditedFields({ name: 'Theirs' }, { typed: { name: 'Demo' }, seen }), { name: 'Theirs' });
  t.end();
});

t.test('an edited list stays, even if only its order differs', (t) => {
  const seen = { hosts: ['a', 'b'] };
  t.same(uneditedFields({ hosts: [] }, { typed: { hosts: ['b', 'a'] }, seen }), {});
  t.end();
});
