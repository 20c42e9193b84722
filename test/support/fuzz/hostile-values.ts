import fc from 'fast-check';

/** Texts that have caused bugs in some program. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nSet-Cookie: a=b',
  '\x1b[2J\x1b]0;title\x07',
  '\u202e\u2066\ufeff',
  '\ud800',
  '😀'.repeat(40),
  'İıſK',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e400',
  '9007199254740993',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  "' OR 1=1 --",
  '"; DROP TABLE instances; --',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '$(id)`id`',
  '%00%0a%25',
  '@a[limit=1]',
  '(a+)+$',
  'a'.repeat(65),
  'a'.repeat(257),
  'a'.repeat(5_000),
  'ä'.repeat(1_000),
] as const;

const NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  255,
  65_536,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
] as const;

/** Any code point, including lone surrogates. Created once, because fast-check's own units build a table of all of Unicode each time. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
/** Letters of other languages. */
export const foreignCharacter = fc.constantFrom('ä', 'ß', 'é', 'İ', 'ш', '日', '한', '😀', '👩‍🚀', 'e\u0301', '\u00a0');

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
);

/** Any unexpected JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': '' }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2_000 }).map(nested) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((length) => Array.from({ length }, (_, n) => n)) },
);

/** Field names with a special meaning in JavaScript, and unknown ones. */
export const hostileKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'then',
    'length',
    '',
    '0',
    '\0',
    'a'.repeat(300),
  ),
  fc.string({ maxLength: 8 }),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
  return value;
}
