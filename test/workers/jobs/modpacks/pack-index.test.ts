import t from 'tap';
import { packFindings } from '../../../../workers/jobs/modpacks/pack-findings.ts';
import { toPack } from '../../../../workers/jobs/modpacks/pack-index.ts';
import { type IndexFile, indexOf } from './pack-files.ts';

const SHA512 = 'aB'.repeat(64);
const file = (path: string, more: Partial<IndexFile> = {}): IndexFile => ({
  path,
  hashes: { sha1: 'c'.repeat(40), sha512: SHA512 },
  downloads: ['https://cdn.modrinth.com/data/AA/versions/BB/a.jar'],
  fileSize: 10,
  ...more,
});

t.test('files that are only for players are left out, and a loader names the software', (t) => {
  const files = [
    file('mods/both.jar'),
    file('mods/maybe.jar', { env: { client: 'required', server: 'optional' } }),
    file('mods/looks.jar', { env: { client: 'required', server: 'unsupported' } }),
  ];
  const pack = toPack(indexOf(files));
  t.match(pack, { software: 'fabric', version: '1.21.8', build: '0.17.3', forPlayers: 1 });
  t.same(
    pack.files.map(({ path }) => path),
    ['mods/both.jar', 'mods/maybe.jar'],
  );
  t.equal(pack.files[0]?.sha512, SHA512.toLowerCase());
  for (const [loader, software] of [
    ['quilt-loader', 'quilt'],
    ['forge', 'forge'],
    ['neoforge', 'neoforge'],
  ] as const)
    t.match(toPack(indexOf([], { dependencies: { minecraft: '1.20.1', [loader]: '1' } })), { software, build: '1' });
  const plain = toPack(indexOf([], { dependencies: { minecraft: '1.20.1' } }));
  t.same(plain, { software: 'vanilla', version: '1.20.1', files: [], forPlayers: 0 });
  t.end();
});

t.test('an index that lies or leads elsewhere is refused', (t) => {
  const paths = [
    ...['../x', 'mods/../../x', '/etc/x', '\\x', 'mods\\x', 'C:/x', 'c:x', 'mods//x', './x', 'mods/', 'a\0b'],
    ...['con', 'mods/nul.jar', 'x.', `${'x'.repeat(256)}.jar`, '.gamekeeper-files/x'],
  ];
  for (const path of paths) t.throws(() => toPack(indexOf([file(path)])), { code: 'invalid_request' }, path);
  for (const [title, index] of [
    ['no JSON', '{'],
    ['another format', indexOf([], { formatVersion: 2 })],
    ['another game', indexOf([], { game: 'hytale' })],
    ['no version of Minecraft', indexOf([], { dependencies: {} })],
    ['a version that is an address', indexOf([], { dependencies: { minecraft: '../../x' } })],
    ['the same file twice', indexOf([file('mods/a.jar'), file('Mods/A.jar')])],
    ['no checksum', indexOf([file('a', { hashes: { sha1: '', sha512: '' } })])],
    ['no address', indexOf([file('a', { downloads: [] })])],
    ['a size below zero', indexOf([file('a', { fileSize: -1 })])],
    ['a huge size', indexOf([file('a', { fileSize: 17 * 1024 ** 3 })])],
    ['too many files', indexOf(Array.from({ length: 10_001 }, (_, n) => file(`mods/${n}.jar`)))],
  ] as const)
    t.throws(() => toPack(index), { code: 'invalid_request', message: /^The modpack cannot be used: / }, title);
  t.end();
});

t.test('more mods suggest more memory, but never more than half of the machine', (t) => {
  const memoryOf = (mods: number, gigabytes: number) => {
    const pack = toPack(indexOf(Array.from({ length: mods }, (_, n) => file(`mods/${n}.jar`))));
    return packFindings('/x.mrpack', pack, gigabytes * 1024 ** 3).recognition.memoryMb?.value;
  };
  t.same([memoryOf(1, 64), memoryOf(50, 64), memoryOf(150, 64)], [4_096, 6_144, 8_192]);
  t.same([memoryOf(150, 8), memoryOf(150, 1)], [4_096, 2_048]);
  t.end();
});
