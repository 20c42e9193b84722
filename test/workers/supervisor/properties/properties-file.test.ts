import { chmodSync, chownSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import { bedrockFormat } from '../../../../workers/supervisor/properties/bedrock-format.ts';
import { javaFormat } from '../../../../workers/supervisor/properties/java-format.ts';
import { changePropertiesFile, readPropertiesFile } from '../../../../workers/supervisor/properties/properties-file.ts';
import { propertiesFormat } from '../../../../workers/supervisor/properties/properties-format.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const JAVA = propertiesFormat(softwareOf('vanilla')!, '1.21.4');

const TEXT = `#Minecraft server properties
#Fri Nov 20 08:00:00 UTC 2026
motd=A \\u00a7cMinecraft\\: Server
! another comment

server-port : 25565
level-name=world
`;

t.test('changes the given values only, and keeps comments, order and separators', async (t) => {
  t.equal(
    javaFormat.withChanges(TEXT, { 'server-port': '25570', 'max-players': '5' }),
    `${TEXT.replace('25565', '25570')}max-players=5\n`,
  );
  t.equal(javaFormat.withChanges(TEXT, { 'level-name': 'world' }), TEXT);
});

t.test('keeps line ends, and adds one to the last line', async (t) => {
  t.equal(javaFormat.withChanges('a=1\r\nb=2', { c: '3' }), 'a=1\r\nb=2\r\nc=3\r\n');
  t.equal(javaFormat.withChanges('', { c: '3' }), 'c=3\n');
});

t.test('if a key occurs twice, the last one counts and changes, as in Java', async (t) => {
  t.equal(javaFormat.withChanges('a=1\na=2\n', { a: '3' }), 'a=1\na=3\n');
});

t.test('reads back the written content', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), async (value, existing) => {
      writeFileSync(file, existing ? 'key=old\nother=1\n' : 'other=1\n');
      await changePropertiesFile(await readPropertiesFile(file, JAVA), { key: value });
      t.strictSame((await readPropertiesFile(file, JAVA)).values, { key: value, other: '1' });
    }),
    { numRuns: 50 },
  );
});

t.test('reads an ISO 8859-1 file of an old server and keeps its bytes', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  writeFileSync(file, Buffer.from('motd=Bl\xf6cke\npvp=true\n', 'latin1'));
  const before = await readPropertiesFile(file, JAVA);
  t.equal(before.values.motd, 'Blöcke');
  await changePropertiesFile(before, { 'level-name': 'Größe' });
  t.equal(readFileSync(file, 'latin1'), 'motd=Bl\xf6cke\npvp=true\nlevel-name=Gr\\u00f6\\u00dfe\n');
});

t.test('reads the file of a version before 1.20 as ISO 8859-1, even if it is valid UTF-8', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  writeFileSync(file, 'motd=Blöcke\n');
  const read = async (version: string) =>
    (await readPropertiesFile(file, propertiesFormat(softwareOf('paper')!, version))).values.motd;
  t.equal(await read('1.20'), 'Blöcke');
  t.equal(await read('26.1'), 'Blöcke');
  t.equal(await read('latest'), 'Blöcke');
  t.equal(await read('1.19.4'), 'BlÃ¶cke', 'decoded as in that version');
});

t.test('the file of the Bedrock server has no escapes', async (t) => {
  const text = '\ufeff# first\r\nserver-name=C:\\users \r\n# server-port=1\r\nserver-port = 19132\nlevel-seed=';
  t.same(bedrockFormat.parse(text), { 'server-name': 'C:\\users', 'server-port': '19132', 'level-seed': '' });
  t.equal(
    bedrockFormat.withChanges(text, { 'server-port': '19140', 'level-seed': 'grün=1', 'max-players': '5' }),
    text.replace('= 19132', '= 19140').replace('level-seed=', 'level-seed=grün=1\r\nmax-players=5\r\n'),
  );
  t.equal(bedrockFormat.withChanges(text, { 'server-port': '19132' }), text, 'nothing to change');
  t.equal(bedrockFormat.withChanges('', { a: '1' }), 'a=1\n');
  t.ok(bedrockFormat.problemOf('motd', 'two\nlines'));
  t.ok(bedrockFormat.problemOf('a=b', 'x'));
  t.equal(bedrockFormat.problemOf('motd', 'C:\\users'), undefined);
});

t.test('a missing file reads as empty, and a new one is readable by its owner only', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  const before = await readPropertiesFile(file, JAVA);
  t.strictSame(before.values, {});
  await changePropertiesFile(before, { a: '1' });
  t.equal(statSync(file).mode & 0o777, 0o600);
});

t.test('keeps the mode and the symbolic link of an existing file', async (t) => {
  const folder = temporaryFolder(t);
  const [file, link] = [join(folder, 'real'), join(folder, 'server.properties')];
  writeFileSync(file, 'a=1\n');
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  await changePropertiesFile(await readPropertiesFile(link, JAVA), { a: '2' });
  t.equal(readFileSync(file, 'utf8'), 'a=2\n');
  t.equal(statSync(file).mode & 0o777, 0o640);
  t.ok(lstatSync(link).isSymbolicLink());
});

t.test('keeps the owner of the file, and gives a new one to the owner of the folder', async (t) => {
  if (process.getuid?.() !== 0) return t.comment('left out: only root can give files away');
  const folder = temporaryFolder(t);
  const file = join(folder, 'server.properties');
  chownSync(folder, 1234, 5678);
  await changePropertiesFile(await readPropertiesFile(file, JAVA), { a: '1' });
  t.match(statSync(file), { uid: 1234, gid: 5678 });
  chownSync(file, 4321, 8765);
  await changePropertiesFile(await readPropertiesFile(file, JAVA), { a: '2' });
  t.match(statSync(file), { uid: 4321, gid: 8765 });
});

t.test('refuses a file that Java cannot read either', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  writeFileSync(file, 'path=C:\\users\\me\n');
  await t.rejects(readPropertiesFile(file, JAVA), {
    code: 'invalid_state',
    message: /server\.properties cannot be understood/,
  });
});

t.test('names a missing folder', async (t) => {
  const file = join(temporaryFolder(t), 'gone', 'server.properties');
  const before = await readPropertiesFile(file, JAVA);
  await t.rejects(changePropertiesFile(before, { a: '1' }), {
    code: 'invalid_state',
    message: /folder does not exist/,
  });
});

t.test('a character that a Bedrock file in ISO 8859-1 cannot hold is refused', async (t) => {
  const path = join(temporaryFolder(t), 'server.properties');
  writeFileSync(path, Buffer.from('server-name=Bl\xf6cke\n', 'latin1'));
  const file = await readPropertiesFile(path, propertiesFormat(softwareOf('bedrock')!, '1.21.4'));
  await t.rejects(changePropertiesFile(file, { 'server-name': 'x\u010aop=y' }), {
    ...{ code: 'invalid_state', message: /^server\.properties is not in UTF-8/ },
  });
  t.equal(readFileSync(path, 'latin1'), 'server-name=Bl\xf6cke\n');
});
