import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import {
  changePropertiesFile,
  readPropertiesFile,
  withProperties,
} from '../../../../workers/supervisor/properties/properties-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const TEXT = `#Minecraft server properties
#Fri Nov 20 08:00:00 UTC 2026
motd=A \\u00a7cMinecraft\\: Server
! another comment

server-port : 25565
level-name=world
`;

t.test('comments, order and separators stay; only the named values change', async (t) => {
  t.equal(
    withProperties(TEXT, { 'server-port': '25570', 'max-players': '5' }),
    `${TEXT.replace('25565', '25570')}max-players=5\n`,
  );
  t.equal(withProperties(TEXT, { 'level-name': 'world' }), TEXT);
});

t.test('line ends stay what they were, and a last line without one gets one', async (t) => {
  t.equal(withProperties('a=1\r\nb=2', { c: '3' }), 'a=1\r\nb=2\r\nc=3\r\n');
  t.equal(withProperties('', { c: '3' }), 'c=3\n');
});

t.test('where a key stands twice the last one counts and changes, as in Java', async (t) => {
  t.equal(withProperties('a=1\na=2\n', { a: '3' }), 'a=1\na=3\n');
});

t.test('whatever is written is read back the same', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), async (value, existing) => {
      writeFileSync(file, existing ? 'key=old\nother=1\n' : 'other=1\n');
      await changePropertiesFile(file, await readPropertiesFile(file), { key: value });
      t.strictSame((await readPropertiesFile(file)).values, { key: value, other: '1' });
    }),
    { numRuns: 50 },
  );
});

t.test('an ISO 8859-1 file of an old server is understood and keeps its bytes', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  writeFileSync(file, Buffer.from('motd=Bl\xf6cke\npvp=true\n', 'latin1'));
  const before = await readPropertiesFile(file);
  t.equal(before.values.motd, 'Blöcke');
  await changePropertiesFile(file, before, { 'level-name': 'Größe' });
  t.equal(readFileSync(file, 'latin1'), 'motd=Bl\xf6cke\npvp=true\nlevel-name=Gr\\u00f6\\u00dfe\n');
});

t.test('a missing file reads as empty, and a new one is for its owner only', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  const before = await readPropertiesFile(file);
  t.strictSame(before.values, {});
  await changePropertiesFile(file, before, { a: '1' });
  t.equal(statSync(file).mode & 0o777, 0o600);
});

t.test('mode and symbolic link of an existing file stay', async (t) => {
  const folder = temporaryFolder(t);
  const [file, link] = [join(folder, 'real'), join(folder, 'server.properties')];
  writeFileSync(file, 'a=1\n');
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  await changePropertiesFile(link, await readPropertiesFile(link), { a: '2' });
  t.equal(readFileSync(file, 'utf8'), 'a=2\n');
  t.equal(statSync(file).mode & 0o777, 0o640);
  t.ok(lstatSync(link).isSymbolicLink());
});

t.test('a file that Java could not read either says so', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  writeFileSync(file, 'path=C:\\users\\me\n');
  await t.rejects(readPropertiesFile(file), {
    code: 'invalid_state',
    message: /server\.properties cannot be understood/,
  });
});
