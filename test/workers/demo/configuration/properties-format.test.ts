import t from 'tap';
import {
  escapeValue,
  parseProperties,
  withProperty,
} from '../../../../workers/demo/configuration/properties-format.ts';

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

t.test('changes a value in its place and keeps everything else', async (t) => {
  t.equal(withProperty('#c\na=1\nb=2\n', 'a', 'x\\y'), '#c\na=x\\\\y\nb=2\n');
  t.equal(withProperty('a=1', 'b', '2'), 'a=1\nb=2\n');
  t.equal(withProperty('', 'b', '2'), 'b=2\n');
});

t.test('reads back the written content', async (t) => {
  for (const value of ['plain', ' leading blank', 'back\\slash', 'two\nlines', '# no comment', 'a=b:c']) {
    t.equal(parseProperties(`k=${escapeValue(value)}`).get('k'), value);
  }
});
