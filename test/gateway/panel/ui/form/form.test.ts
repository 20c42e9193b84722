import t from 'tap';
import { Problem } from '../../../../../gateway/panel/src/api/transport/problem.ts';
import { fieldErrors } from '../../../../../gateway/panel/src/ui/form/field-errors.ts';
import { uneditedFields } from '../../../../../gateway/panel/src/ui/form/merge-latest.ts';

const FIELDS = ['name', 'memoryMb', 'launch'] as const;
const problem = (detail: string, code = 'invalid_request') =>
  new Problem({ status: 400, code, title: 'Bad request', detail, resolution: '' });

t.test('a detail that names a field becomes its error', (t) => {
  t.same(fieldErrors(problem('memoryMb: must be at least 128: it is 5'), FIELDS), {
    memoryMb: 'must be at least 128: it is 5',
  });
  t.same(
    fieldErrors(problem('launch.command: is empty'), FIELDS),
    { launch: 'is empty' },
    'the error of a nested field',
  );
  t.end();
});

t.test('any other error is about no field', (t) => {
  t.same(fieldErrors(problem('port: is taken'), FIELDS), {});
  t.same(fieldErrors(problem('names: are wrong'), FIELDS), {});
  t.same(fieldErrors(problem('name: is taken', 'conflict'), FIELDS), {});
  t.same(fieldErrors(new Error('name: oops'), FIELDS), {});
  t.end();
});

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
