import t from 'tap';
import { escapeValue, parseProperties } from '../../../../workers/demo/configuration/properties-format.ts';

t.test('reads the format of java.util.Properties', async (t) => {
  const text = [
    '#comment',
    ' ! another',
    'a=1',
    '  b : 2  ',
    'c 3',
    'd\\=e=f\\:g',
    'motd=\\u00A7aHi\\tyou \\\\o/',
    'long=one \\',
    '     two\\',
    '',
    'empty=',
    'bare',
    'a=last',
  ].join('\r\n');
  t.same(Object.fromEntries(parseProperties(text)), {
    a: 'last',
    b: '2  ',
    c: '3',
    'd=e': 'f:g',
    motd: '§aHi\tyou \\o/',
    long: 'one two',
    empty: '',
    bare: '',
  });
});

t.test('reads back the written content', async (t) => {
  for (const value of ['plain', ' leading blank', 'back\\slash', 'two\nlines', '# no comment', 'a=b:c']) {
    t.equal(parseProperties(`k=${escapeValue(value)}`).get('k'), value);
  }
});
