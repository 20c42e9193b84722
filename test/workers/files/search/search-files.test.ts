import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Search, searchFiles } from '../../../../workers/files/search/search-files.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const NEVER = new AbortController().signal;

function world(t: Test) {
  const root = temporaryFolder(t);
  const at = (name: string) => path.join(root, name);
  mkdirSync(at('plugins/Shop'), { recursive: true });
  writeFileSync(at('plugins/Shop/config.yml'), 'name: x\nPrice: 10\npassword: hunter22\n');
  writeFileSync(at('server.properties'), 'motd=Hello\r\n');
  const find = async (search: Partial<Search>) =>
    await searchFiles(root, { path: '', limit: 100, secrets: undefined, ...search }, NEVER);
  const paths = async (search: Partial<Search>) => (await find(search)).matches.map((match) => match.path).sort();
  return { root, at, find, paths };
}

t.test('finds files and folders by name, whatever the case', async (t) => {
  const { paths } = world(t);
  t.same(await paths({ name: 'shop' }), ['plugins/Shop']);
  t.same(await paths({ name: '*.YML' }), ['plugins/Shop/config.yml']);
  t.same(await paths({ name: '*.ym' }), []);
  t.same(await paths({ name: 'plugins/**' }), ['plugins', 'plugins/Shop', 'plugins/Shop/config.yml']);
  t.same(await paths({ name: 'o', path: 'plugins' }), ['plugins/Shop', 'plugins/Shop/config.yml']);
  await t.rejects(paths({ name: 'x', path: '../x' }), { code: 'invalid_path' });
  await t.rejects(paths({ name: 'x', path: 'nothing' }), { code: 'file_not_found' });
});

t.test('finds lines in text files', async (t) => {
  const { find, at } = world(t);
  t.match(await find({ contains: 'price' }), {
    matches: [{ path: 'plugins/Shop/config.yml', kind: 'file', lines: [{ number: 2, text: 'Price: 10' }] }],
  });
  t.match(await find({ contains: 'HELLO', name: '*.properties' }), {
    matches: [{ lines: [{ number: 1, text: 'motd=Hello' }] }],
  });
  t.same(await find({ contains: 'price', name: '*.properties' }), { matches: [] });
  writeFileSync(at('long'), `first\n${'x'.repeat(200_000)}needle${'y'.repeat(200_000)} needle\nlast needle`);
  const [{ lines = [] } = {}] = (await find({ contains: 'NEEDLE' })).matches;
  t.same(
    lines.map(({ number }) => number),
    [2, 3],
  );
  t.match(lines[0]?.text, /^x+needley+$/);
  t.ok(lines[0]!.text.length <= 300);
  writeFileSync(at('many'), 'word\n'.repeat(1_000));
  t.equal((await find({ contains: 'word' })).matches[0]?.lines?.length, 20);
  writeFileSync(at('binary'), Buffer.concat([Buffer.alloc(1_000), Buffer.from('price')]));
  t.equal((await find({ contains: 'price' })).matches.length, 1);
});

t.test('somebody who may only read does not find what is masked', async (t) => {
  const { paths, at } = world(t);
  writeFileSync(at('forwarding.secret'), 'abcdef');
  writeFileSync(at('note'), 'it is in the settings: pa55word');
  t.same(await paths({ contains: 'hunter' }), ['plugins/Shop/config.yml']);
  const secrets = ['pa55word'];
  for (const contains of ['hunter', 'abc', 'pa55']) t.same(await paths({ contains, secrets }), [], contains);
  t.same(await paths({ contains: 'price', secrets }), ['plugins/Shop/config.yml']);
});

t.test('links lead nowhere, and our own folder is left out', async (t) => {
  const { paths, at } = world(t);
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'secret.yml'), 'price');
  symlinkSync(outside, at('link'));
  symlinkSync(path.join(outside, 'secret.yml'), at('link.yml'));
  execFileSync('mkfifo', [at('pipe.yml')]);
  mkdirSync(at('.gamekeeper-files/trash'), { recursive: true });
  writeFileSync(at('.gamekeeper-files/trash/old.yml'), 'price');
  t.same(await paths({ contains: 'price' }), ['plugins/Shop/config.yml']);
  t.same(await paths({ name: '*.yml' }), ['link.yml', 'pipe.yml', 'plugins/Shop/config.yml']);
});

t.test('a search says why it stopped early, and ends when nobody waits for it', async (t) => {
  const { root, find, at } = world(t);
  t.match(await find({ name: 'o', limit: 1 }), { matches: { length: 1 }, stoppedBy: 'limit' });
  const search: Search = { path: '', name: 'x', contains: 'price', limit: 9, secrets: undefined };
  const few = { entries: 2, bytes: 1e9, milliseconds: 1e9 };
  t.equal((await searchFiles(root, search, NEVER, few)).stoppedBy, 'size');
  t.equal((await searchFiles(root, search, NEVER, { ...few, entries: 99, milliseconds: -1 })).stoppedBy, 'time');
  writeFileSync(at('x1'), '');
  truncateSync(at('x1'), 10);
  writeFileSync(at('x2'), 'text\n'.repeat(1_000));
  writeFileSync(at('x3'), 'text\n'.repeat(1_000));
  t.equal((await searchFiles(root, search, NEVER, { ...few, entries: 99, bytes: 4_000 })).stoppedBy, 'size');
  const leaving = new AbortController();
  for (let n = 0; n < 2_000; n++) writeFileSync(at(`x${n}`), 'text\n'.repeat(1_000));
  const searching = searchFiles(root, search, leaving.signal);
  leaving.abort();
  await t.rejects(searching, { name: 'AbortError' });
  t.equal(readdirSync('/proc/self/fd').length < 200, true, 'no descriptor is left open');
});
