/** Checks README.md: the files of the first table mention the items that they are listed for, and no file is missing in both tables. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';

const folder = import.meta.dirname;
const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
const [items = ''] = readme.split('Without a number');
const rows = items
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Item'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, item = '', what = '', here = '']) => ({ item, what, here }));

t.ok(rows.length > 40, 'the table is found');
for (const { item, what, here } of rows) {
  const files = [...here.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name = '']) => name);
  if (here.startsWith('None: ')) {
    t.ok(here.length > 'None: '.length + 20, `${item}: the reason is given`);
    continue;
  }
  t.ok(files.length > 0, `${item} (${what}) has a file`);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    t.ok(text.includes(numberOf(item)), `${file} names ${item}`);
  }
}
t.equal(new Set(rows.map(({ item }) => item)).size, rows.length, 'each item is listed once');

for (const file of readdirSync(folder).filter((name) => name.endsWith('.test.ts'))) {
  t.ok(readme.includes(`\`${file}\``) || file === 'readme-table.test.ts', `${file} is listed`);
  const text = readFileSync(path.join(folder, file), 'utf8');
  for (const [id] of text.matchAll(/\b(?:CVE-\d{4}-\d+|GHSA(?:-[0-9a-z]{4}){3})\b/g))
    t.ok(
      rows.some(({ item }) => item === id),
      `${id} of ${file} is in the table`,
    );
}

/** Returns how a comment cites the item: an issue by its number. */
function numberOf(item: string): string {
  const issue = /wings#(\d+)$/.exec(item)?.[1];
  return issue === undefined ? item : `issue ${issue}`;
}
