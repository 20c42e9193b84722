import t from 'tap';
import { Problem } from '../../../../../gateway/panel/src/api/transport/problem.ts';
import * as form from '../../../../../gateway/panel/src/ui/form/field-errors.ts';
import { fieldWordsIn } from '../../../../../gateway/panel/src/ui/form/field-words.ts';

const FIELDS = ['name', 'memoryMb', 'launch'] as const;
const ENGLISH = fieldWordsIn('en');
const fieldErrors = (error: unknown, fields: readonly string[]) => form.fieldErrors(error, fields, ENGLISH);
const inputErrors = (error: unknown, inputs: Record<string, string>) => form.inputErrors(error, inputs, ENGLISH);
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

t.test('the fields that an answer lists get their errors in the language of the user', (t) => {
  const listed = new Problem({
    status: 400,
    code: 'invalid_request',
    title: 'Bad request',
    detail: 'Body: "name" is required; "memoryMb": Too small: expected number to be >=128.',
    errors: [
      { field: 'name', rule: 'required', detail: 'is required' },
      { field: 'memoryMb', rule: 'too_small', limit: 128, detail: 'Too small: expected number to be >=128' },
      { field: 'port', rule: 'not_a_number', detail: 'not shown: no such input' },
    ],
  });
  t.same(form.fieldErrors(listed, FIELDS, fieldWordsIn('de')), {
    name: 'Dieses Feld darf nicht leer sein.',
    memoryMb: 'Muss mindestens 0,125 GB sein.',
  });
  t.same(inputErrors(listed, { memoryMb: 'memoryGb' }), { memoryGb: 'Must be at least 0.125 GB.' });
  t.end();
});

t.test('an error can be shown at an input of another name', (t) => {
  const inputs = { memoryMb: 'memoryGb', 'variables.map': 'variables.map', 'variables.map2': 'variables.map2' };
  t.same(inputErrors(problem('memoryMb: is too much'), inputs), { memoryGb: 'is too much' });
  const window = { field: 'crashPolicy.windowSeconds', rule: 'too_big', limit: 86_400, detail: 'Too big' } as const;
  const tooLong = new Problem({
    ...{ status: 400, code: 'invalid_request', title: 'Bad request', detail: 'Too big', resolution: '' },
    errors: [window],
  });
  const scaled = { [window.field]: { input: 'windowMinutes', factor: 60 } };
  t.same(form.inputErrors(tooLong, scaled, ENGLISH), { windowMinutes: 'Must be at most 1440 min.' }, 'and in its unit');
  t.same(inputErrors(problem('variables.map2: must match x'), inputs), { 'variables.map2': 'must match x' });
  t.same(inputErrors(problem('port: is taken'), inputs), {});
  t.end();
});

t.test('any other error is about no field', (t) => {
  t.same(fieldErrors(problem('port: is taken'), FIELDS), {});
  t.same(fieldErrors(problem('names: are wrong'), FIELDS), {});
  t.same(fieldErrors(problem('name: is taken', 'conflict'), FIELDS), {});
  t.same(fieldErrors(new Error('name: oops'), FIELDS), {});
  t.end();
});
