import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { describe } from '../../../../workers/pool/recognise/describe.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { type HandmadeEntry, zipBytes } from '../zip-bytes.ts';

const describer = (folder: string) => async (bytes: Buffer) => {
  const file = path.join(folder, 'x.jar');
  writeFileSync(file, bytes);
  const [description] = await describe({ files: [file] });
  return description;
};

t.test('a jar is described by the descriptor of its loader', async (t) => {
  const read = describer(temporaryFolder(t));
  const said = async (...entries: HandmadeEntry[]) =>
    (await read(zipBytes(entries.map((entry) => ({ method: 'deflated', ...entry })))))?.about;
  const json = (value: object) => JSON.stringify(value);
  const toml = (version: string) =>
    `modLoader="javafml" #\n[[mods]] # one\n  modId = "create"\n  version="${version}"\n  displayName='Create'\n[[mods]]\nmodId="other"\ndisplayName="Other"`;

  t.same(await said({ name: 'plugin.yml', content: 'main: a.B\nname: EssentialsX # yes\nversion: "2.21"\n' }), {
    name: 'EssentialsX',
    version: '2.21',
  });
  t.same(await said({ name: 'plugin.yml', content: "version: '1'\r\nname: 'Vault'\r\ncommands:\r\n  name: no\r\n" }), {
    name: 'Vault',
    version: '1',
  });
  t.same(
    await said(
      { name: 'plugin.yml', content: 'name: Old\nversion: 1\n' },
      { name: 'paper-plugin.yml', content: 'name: New\nversion: 2\n' },
    ),
    { name: 'New', version: '2' },
  );
  t.same(await said({ name: 'velocity-plugin.json', content: json({ id: 'via', name: 'Via', version: '5' }) }), {
    name: 'Via',
    version: '5',
  });
  t.same(await said({ name: 'fabric.mod.json', content: json({ schemaVersion: 1, id: 'lithium', version: '0.15' }) }), {
    name: 'lithium',
    version: '0.15',
  });
  const quilt = { schema_version: 1, quilt_loader: { id: 'qsl', version: '9', metadata: { name: 'QSL' } } };
  t.same(await said({ name: 'quilt.mod.json', content: json(quilt) }), { name: 'QSL', version: '9' });
  t.same(await said({ name: 'META-INF/mods.toml', content: toml('0.5.1') }), { name: 'Create', version: '0.5.1' });
  t.same(
    await said(
      { name: 'META-INF/neoforge.mods.toml', content: toml('$' + '{file.jarVersion}') },
      { name: 'META-INF/MANIFEST.MF', content: 'Manifest-Version: 1.0\r\nImplementation-Version: 6.0\r\n' },
    ),
    { name: 'Create', version: '6.0' },
  );
  t.same(await said({ name: 'mcmod.info', content: json([{ modid: 'jei', name: 'JEI', version: '4' }]) }), {
    name: 'JEI',
    version: '4',
  });
  t.equal(await said({ name: 'a/plugin.yml', content: 'name: Nobody' }), undefined);
});

t.test('hostile jars are read within limits', async (t) => {
  const folder = temporaryFolder(t);
  const read = describer(folder);
  const about = async (...entries: HandmadeEntry[]) => (await read(zipBytes(entries)))?.about;
  const yml = 'name: A\nversion: 1\n';
  const bomb = Buffer.concat([Buffer.from(yml), Buffer.alloc(64 * 1024 * 1024, ' ')]);
  t.equal(await about({ name: 'plugin.yml', content: bomb, method: 'deflated' }), undefined, 'a zip bomb');
  t.equal(
    await about({ name: 'plugin.yml', content: bomb, method: 'deflated', claims: { size: 10 } }),
    undefined,
    'false sizes',
  );
  t.equal(
    await about({ name: 'plugin.yml', content: yml, claims: { compressedSize: 2 ** 31 } }),
    undefined,
    'a truncated file',
  );
  t.equal(
    await about({ name: 'plugin.yml', content: yml, claims: { offset: 2 ** 31 } }),
    undefined,
    'an offset beyond the end',
  );
  t.equal(await about({ name: 'plugin.yml', content: yml, encrypted: true }), undefined, 'an encrypted file');
  t.same(await about({ name: 'plugin.yml', content: `name: "A\u001b[31m${'B'.repeat(400)}"\n` }), {
    name: `A [31m${'B'.repeat(94)}`,
  });
  t.same(
    await about(
      { name: '../../etc/passwd', content: 'x' },
      { name: 'plugin.yml', content: yml },
      { name: 'plugin.yml', content: 'name: B' },
    ),
    { name: 'A', version: '1' },
  );
  for (const content of ['[]', '{"name":7}', '{"name":{"a":1}}', 'null', '{"__proto__":{"name":"x"}}', '"'])
    t.equal(await about({ name: 'fabric.mod.json', content }), undefined, content);

  const noZip = await read(Buffer.from('PK but no'));
  t.same(
    noZip,
    { sha512: createHash('sha512').update('PK but no').digest('hex') },
    'a file that is not an archive has a hash',
  );
  t.same(await read(Buffer.alloc(0)), { sha512: createHash('sha512').update('').digest('hex') });
  const [pipe, directory, nothing] = ['pipe.jar', 'folder.jar', 'gone.jar'].map((name) => path.join(folder, name));
  execFileSync('mkfifo', [pipe!]);
  mkdirSync(directory!);
  symlinkSync('nowhere', nothing!);
  t.same(await describe({ files: [pipe!, directory!, nothing!] }), [{}, {}, {}], 'a pipe does not block');
});

t.test('a hostile descriptor does not make a regular expression run away', async (t) => {
  const read = describer(temporaryFolder(t));
  const began = performance.now();
  for (const [name, content] of [
    ['plugin.yml', `name:${' \t'.repeat(60_000)}`],
    ['plugin.yml', `name: "${'\\"'.repeat(60_000)}`],
    ['plugin.yml', `name: a${' '.repeat(120_000)}b`],
    ['META-INF/mods.toml', `[[mods]]\n${'version = "'.repeat(11_000)}`],
    ['META-INF/mods.toml', `${' [['.repeat(40_000)}mods]]`],
    ['META-INF/mods.toml', `${' \t'.repeat(60_000)}`],
  ] as const)
    await read(zipBytes([{ name, content }]));
  t.ok(performance.now() - began < 5_000, `${performance.now() - began} ms`);
});
