import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { extract } from '../../../../workers/pool/extract/extract.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { fill, pack, unpack, unpackFromElsewhere } from '../round-trip.ts';
import { type HandmadeEntry, zipBytes } from '../zip-bytes.ts';

/** Unpacks handmade entries beside a file that must stay unchanged, and asserts that nothing was written outside of the target. */
async function unpackHandmade(t: Test, entries: HandmadeEntry[], sourceBytes = 1e6): Promise<string> {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'outside'));
  writeFileSync(path.join(folder, 'a.zip'), zipBytes(entries));
  try {
    await unpack(path.join(folder, 'a.zip'), path.join(folder, 'back'), sourceBytes);
  } finally {
    t.same(
      readdirSync(folder).filter((name) => name !== 'back'),
      ['a.zip', 'outside'],
      'nothing was written beside the target',
    );
    t.same(readdirSync(path.join(folder, 'outside')), [], 'nothing was written elsewhere');
  }
  return path.join(folder, 'back');
}

const modeOf = (folder: string, name: string) => statSync(path.join(folder, name)).mode & 0o7777;
const damagedBecause = (why: RegExp) => ({ code: 'backup_damaged', message: why });

t.test('valid handmade archives are unpacked', async (t) => {
  const back = await unpackHandmade(t, [
    { name: 'a/b/c.txt', content: 'c' },
    { name: 'd.txt', content: 'd'.repeat(1000), method: 'deflated' },
    { name: './C:odd', content: 'odd' },
  ]);
  t.equal(readFileSync(path.join(back, 'a/b/c.txt'), 'utf8'), 'c');
  t.equal(readFileSync(path.join(back, 'd.txt'), 'utf8').length, 1000);
  t.equal(readFileSync(path.join(back, 'C:odd'), 'utf8'), 'odd');
});

t.test('names that lead elsewhere are refused before anything is written', async (t) => {
  const names = [
    '../outside/x',
    '/etc/x',
    'a/../../outside/x',
    'a//b',
    'a/./b',
    '..',
    '.',
    '',
    'a\\..\\b',
    'a\0b',
    '././a',
    '//host/share/x',
  ];
  for (const name of names) {
    await t.test(JSON.stringify(name), async (t) => {
      await t.rejects(
        unpackHandmade(t, [
          { name: 'good.txt', content: 'x' },
          { name, content: 'x' },
        ]),
        damagedBecause(/The name/),
      );
    });
  }
});

t.test('the same name twice is refused (CVE-2026-10732: a link first, then a file through it)', async (t) => {
  await t.rejects(
    unpackHandmade(t, [
      { name: 'x', content: '../outside', mode: 0o120777 },
      { name: 'x', content: 'evil' },
    ]),
    damagedBecause(/twice/),
  );
  await t.rejects(
    unpackHandmade(t, [
      { name: 'x/', mode: 0o40755 },
      { name: 'x', content: 'evil' },
    ]),
    damagedBecause(/twice/),
  );
});

t.test('nothing is written through a link, or a file, that an entry uses as a folder', async (t) => {
  for (const mode of [0o120777, 0o100644]) {
    await t.rejects(
      unpackHandmade(t, [
        { name: 'x', content: '../outside', mode },
        { name: 'x/evil.txt', content: 'evil' },
      ]),
      damagedBecause(/not a folder/),
    );
  }
});

t.test('devices, pipes and other kinds are refused', async (t) => {
  for (const mode of [0o020644, 0o060644, 0o010644, 0o140644, 0o40755])
    await t.rejects(unpackHandmade(t, [{ name: 'x', mode }]), damagedBecause(/neither/));
  await t.rejects(unpackHandmade(t, [{ name: 'x/', mode: 0o120777, content: '..' }]), damagedBecause(/neither/));
});

t.test('setuid, setgid and sticky bits are dropped', async (t) => {
  const back = await unpackHandmade(t, [{ name: 'x', content: 'x', mode: 0o107755 }]);
  t.equal(modeOf(back, 'x'), 0o755);
});

t.test('entries without permissions get the usual ones', async (t) => {
  const back = await unpackHandmade(t, [
    { name: 'a/', mode: 0 },
    { name: 'a/x', content: 'x', mode: 0 },
  ]);
  t.same([modeOf(back, 'a'), modeOf(back, 'a/x')], [0o755, 0o644]);
});

t.test('what comes from elsewhere can be read and changed, and a backup comes back as it was', async (t) => {
  const folder = temporaryFolder(t);
  const archive = path.join(folder, 'a.zip');
  writeFileSync(
    archive,
    zipBytes([
      { name: 'a/', mode: 0o40555 },
      { name: 'a/x', content: 'x', mode: 0o100040 },
    ]),
  );
  for (const [name, work, modes] of [
    ['backup', unpack, [0o555, 0o040]],
    ['elsewhere', unpackFromElsewhere, [0o755, 0o640]],
  ] as const) {
    await work(archive, path.join(folder, name));
    t.same([modeOf(folder, `${name}/a`), modeOf(folder, `${name}/a/x`)], modes, name);
  }
});

t.test('false sizes are detected', async (t) => {
  const text = 'x'.repeat(200_000);
  const cases: [string, HandmadeEntry, RegExp][] = [
    ['stored, claiming more', { name: 'x', content: 'abc', claims: { size: 4 } }, /size of "x" is wrong/],
    [
      'stored, beyond the end',
      { name: 'x', content: 'abc', claims: { size: 5000, compressedSize: 5000 } },
      /overlap|ends too early/,
    ],
    [
      'deflated, claiming less',
      { name: 'x', content: text, method: 'deflated', claims: { size: 1000 } },
      /longer than|damaged/,
    ],
    ['deflated, claiming more', { name: 'x', content: text, method: 'deflated', claims: { size: 200_001 } }, /shorter/],
    [
      'deflated, a little less',
      { name: 'x', content: text, method: 'deflated', claims: { size: 199_999 } },
      /longer than/,
    ],
    [
      'an impossible ratio',
      { name: 'x', content: text, method: 'deflated', claims: { size: 900_000, compressedSize: 300 } },
      /cannot be true/,
    ],
    ['a wrong checksum', { name: 'x', content: 'abc', claims: { crc: 1 } }, /checksum/],
    [
      'garbage instead of deflate',
      { name: 'x', content: 'abc', claims: { size: 3, crc: 0 }, method: 'deflated' },
      /checksum/,
    ],
    ['encrypted', { name: 'x', content: 'abc', encrypted: true }, /encrypted/],
    ['another name in front', { name: 'x', content: 'abc', localName: 'y' }, /contradicts/],
    ['a folder with content', { name: 'x/', content: 'abc', mode: 0o40755 }, /has content, which folders cannot have/],
  ];
  for (const [title, entry, why] of cases) {
    await t.test(title, async (t) => {
      await t.rejects(unpackHandmade(t, [entry]), damagedBecause(why));
    });
  }
});

t.test('a large deflated entry that exceeds its announced size is cut off', async (t) => {
  const content = Buffer.alloc(8 * 1024 * 1024, 'ab');
  await t.rejects(
    unpackHandmade(t, [{ name: 'x', content, method: 'deflated', claims: { size: 3_000_000 } }], 1e8),
    damagedBecause(/longer than/),
  );
  await t.rejects(
    unpackHandmade(t, [{ name: 'x', content: Buffer.alloc(3_000_000, 1), claims: { crc: 7 } }], 1e8),
    damagedBecause(/checksum/),
  );
});

t.test('entries that share their bytes are refused as a zip bomb', async (t) => {
  const kernel = { name: 'a', content: 'x'.repeat(10_000) };
  const bomb = Array.from({ length: 50 }, (_, n) => ({
    name: `f${n}`,
    claims: { offset: 0, size: 10_000, compressedSize: 10_000, crc: 0 },
  }));
  await t.rejects(unpackHandmade(t, [kernel, ...bomb]), damagedBecause(/overlap/));
});

t.test('more content than in the catalogue is refused', async (t) => {
  await t.rejects(
    unpackHandmade(t, [{ name: 'x', content: 'x'.repeat(101) }], 100),
    damagedBecause(/more data than recorded/),
  );
});

t.test('links keep their targets and are created last', async (t) => {
  const back = await unpackHandmade(t, [
    { name: 'up', content: '../outside', mode: 0o120777 },
    { name: 'a.txt', content: 'a' },
  ]);
  t.ok(existsSync(path.join(back, 'up')));
  await t.rejects(unpackHandmade(t, [{ name: 'x', content: '', mode: 0o120777 }]), damagedBecause(/leads nowhere/));
  await t.rejects(
    unpackHandmade(t, [{ name: 'x', content: 'y'.repeat(5000), mode: 0o120777 }]),
    damagedBecause(/too long/),
  );
});

t.test('an archive with another hash than the catalogue’s is not opened', async (t) => {
  const folder = temporaryFolder(t);
  const source = fill(path.join(folder, 'source'), { 'a.txt': 'a' });
  const archive = path.join(folder, 'a.zip');
  const { sourceBytes } = await pack(source, archive);
  const task = {
    archive,
    target: path.join(folder, 'back'),
    sha256: '0'.repeat(64),
    sourceBytes,
    progress: new Progress().memory,
  };
  await t.rejects(extract(task), damagedBecause(/SHA-256/));
  t.notOk(existsSync(task.target));
});

t.test('a file that is no ZIP, or half of one, counts as damaged', async (t) => {
  const folder = temporaryFolder(t);
  const whole = zipBytes([{ name: 'x', content: 'abc' }]);
  const halves = {
    empty: Buffer.alloc(0),
    text: Buffer.from('hello'),
    cut: whole.subarray(0, whole.length - 5),
    headless: whole.subarray(20),
  };
  for (const [name, bytes] of Object.entries(halves)) {
    writeFileSync(path.join(folder, name), bytes);
    await t.rejects(
      unpack(path.join(folder, name), path.join(folder, `${name}.out`)),
      { code: 'backup_damaged' },
      name,
    );
  }
});
