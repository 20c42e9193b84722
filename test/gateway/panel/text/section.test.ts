import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { firstSupported, LANGUAGES } from '../../../../gateway/panel/src/text/languages.ts';
import { fill, type Section } from '../../../../gateway/panel/src/text/section.ts';

t.test('takes the first supported language, whatever its region', (t) => {
  t.equal(firstSupported(['fr-FR', 'de-AT', 'en']), 'de');
  t.equal(firstSupported([null, 'zh-TW']), 'zh');
  t.equal(firstSupported(['en-GB']), 'en');
  t.end();
});

t.test('falls back to English', (t) => {
  t.equal(firstSupported([]), 'en');
  t.equal(firstSupported([null, 'fr', 'nonsense']), 'en');
  t.end();
});

const SOURCES = path.join(import.meta.dirname, '../../../../gateway/panel/src');

const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

t.test('placeholders are filled; one without a value stays', (t) => {
  t.equal(fill('{count} of {all}', { count: 0, all: 'three' }), '0 of three');
  t.equal(fill('{a}{a} {b}', { a: 'x' }), 'xx {b}');
  t.equal(fill('{time} stays'), '{time} stays');
  t.equal(fill('a value is {text}', { text: 'not {filled} $& again' }), 'a value is not {filled} $& again');
  t.end();
});

t.test('every text has the same placeholders in all languages, and is empty in none', async (t) => {
  const files = globSync('**/*-text.ts', { cwd: SOURCES });
  t.ok(files.length > 10);
  for (const file of files) {
    const module: Record<string, Section<string>> = await import(pathToFileURL(path.join(SOURCES, file)).href);
    for (const section of Object.values(module).filter((value) => typeof value === 'object'))
      for (const key of Object.keys(section.en))
        for (const language of LANGUAGES) {
          const text = section[language][key] ?? '';
          t.ok(text.trim(), `${file} ${key} ${language}`);
          t.same(placeholdersIn(text), placeholdersIn(section.en[key] ?? ''), `${file} ${key} ${language}`);
        }
  }
});
