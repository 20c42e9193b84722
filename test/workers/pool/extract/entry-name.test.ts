import t from 'tap';
import { type NameRules, nameKey, nameProblem } from '../../../../workers/pool/extract/entry-name.ts';

const OWN: NameRules = { alphabet: 'native', platform: 'linux' };
const FOREIGN: NameRules = { alphabet: 'portable', platform: 'linux' };
const WINDOWS: NameRules = { alphabet: 'native', platform: 'win32' };
const MAC: NameRules = { alphabet: 'native', platform: 'darwin' };

t.test('names that lead elsewhere are refused everywhere', async (t) => {
  for (const name of ['/a', '..', '../a', 'a/..', 'a/../b', '.', './a', 'a//b', '', '/', 'a\\b', 'a\0b'])
    for (const rules of [OWN, FOREIGN, WINDOWS, MAC]) t.ok(nameProblem(name, rules), `${JSON.stringify(name)}`);
});

t.test(
  'names that another system reads differently are refused in archives from elsewhere, and on Windows',
  async (t) => {
    const names = [
      'C:/x',
      'c:x',
      'a.txt:stream',
      'CON',
      'con.txt',
      'a/NUL',
      'a/aux.h/b',
      'COM1',
      'lpt9.log',
      'COM¹',
      'CONOUT$',
      'trailing.',
      'trailing ',
      '.../...//'.slice(0, 7),
      'a?b',
      'a*b',
      'a"b',
      'a<b',
      'a|b',
      'a\nb',
      'x'.repeat(256),
    ];
    for (const name of names) {
      t.ok(nameProblem(name, FOREIGN), JSON.stringify(name));
      t.ok(nameProblem(name, WINDOWS), JSON.stringify(name));
    }
    for (const name of ['C:x', 'a.txt:stream', 'con.txt', 'trailing.', 'a?b'])
      t.notOk(nameProblem(name, OWN), `own archive: ${name}`);
  },
);

t.test('ordinary names pass', async (t) => {
  for (const name of [
    'world/region/r.0.0.mca',
    'world/',
    '.hidden',
    'console.log',
    'communication.txt',
    'ünï/出.json',
    'a b',
    '...x',
  ])
    for (const rules of [OWN, FOREIGN, WINDOWS, MAC]) t.equal(nameProblem(name, rules), undefined, name);
});

t.test('names that are one file regardless of case or composition have one key', async (t) => {
  t.equal(nameKey('World/A.txt', FOREIGN), nameKey('world/a.TXT', FOREIGN));
  t.equal(nameKey('World/', WINDOWS), nameKey('world', WINDOWS));
  t.equal(nameKey('e\u0301', MAC), nameKey('\u00e9', MAC));
  t.not(nameKey('World', OWN), nameKey('world', OWN), 'two different names on Linux');
});
