import t from 'tap';
import type { FieldError } from '../../../../../gateway/panel/src/api/transport/problem.ts';
import { fieldWordsIn, needsDetail } from '../../../../../gateway/panel/src/ui/form/field-words.ts';
import { FIELD_RULES } from '../../../../../shared/domain/field-error.ts';

const error = (more: Partial<FieldError>): FieldError => ({
  field: 'port',
  rule: 'too_big',
  limit: 65_535,
  detail: 'Too big: expected number to be <=65535',
  ...more,
});

t.test('what is wrong with a field is said in each language', async (t) => {
  t.equal(fieldWordsIn('en')(error({})), 'Must be at most 65535.');
  t.equal(fieldWordsIn('en')(error({ rule: 'too_long', limit: 1 })), 'Maximum length: 1.');
  t.equal(fieldWordsIn('de')(error({})), 'Darf höchstens 65535 sein.');
  t.equal(fieldWordsIn('zh')(error({})), '不能大于 65535。');
});

t.test('a limit has its unit', async (t) => {
  t.equal(fieldWordsIn('de')(error({ field: 'memoryMb', limit: 8_192 })), 'Darf höchstens 8 GB sein.');
  t.match(
    fieldWordsIn('en')(error({ field: 'memoryMb', rule: 'exceeds_machine', limit: 15_884 })),
    'This computer has only 15.512 GB.',
  );
  t.equal(fieldWordsIn('en')(error({ field: 'crashPolicy.windowSeconds', limit: 600 })), 'Must be at most 600 s.');
  t.equal(fieldWordsIn('de')(error({ field: 'share', limit: 0.5 })), 'Darf höchstens 0,5 sein.');
});

t.test('every rule but "other" has words', async (t) => {
  for (const rule of FIELD_RULES) {
    t.equal(fieldWordsIn('de')(error({ rule, detail: 'odd' })) === 'odd', rule === 'other', rule);
    t.equal(needsDetail(error({ rule })), ['invalid_format', 'taken', 'other'].includes(rule), rule);
    t.notMatch(fieldWordsIn('zh')(error({ rule, detail: '' })), /[a-z]{3}|\{/, rule);
  }
});

t.test("the daemon's words are shown where they say more, and for rules of later versions", async (t) => {
  const taken = error({ rule: 'taken', detail: 'Gamekeeper itself uses 25580.' });
  t.equal(fieldWordsIn('en')(taken), taken.detail);
  t.equal(fieldWordsIn('de')(taken), 'Wird schon verwendet. Wählen Sie etwas anderes. (Gamekeeper itself uses 25580.)');
  const format = error({ rule: 'invalid_format', detail: 'must be a fingerprint such as SHA256:...' });
  t.match(fieldWordsIn('zh')(format), format.detail);
  const later = error({ rule: 'invented_later' as FieldError['rule'], detail: 'is odd' });
  t.equal(fieldWordsIn('de')(later), 'is odd');
  t.ok(needsDetail(error({ rule: 'toString' as FieldError['rule'] })));
});
