import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createVault, readKeyFile } from '../../../../gateway/proxy/store/vault.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

t.test('what is sealed can be opened only with the same secret and for the same row', async (t) => {
  const vault = createVault('one');
  const sealed = vault.seal('a token', 'row 1');
  t.equal(vault.open(sealed, 'row 1'), 'a token');
  t.notMatch(sealed, 'token');
  t.not(vault.seal('a token', 'row 1'), sealed, 'the same text is sealed differently each time');
  t.throws(() => vault.open(sealed, 'row 2'));
  t.throws(() => createVault('two').open(sealed, 'row 1'));
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[bytes.length - 1]! ^= 1;
  t.throws(() => vault.open(bytes.toString('base64url'), 'row 1'));
  t.throws(() => vault.open('', 'row 1'));
});

t.test('names are stable, and differ with the secret', async (t) => {
  t.equal(createVault('one').nameOf('a token'), createVault('one').nameOf('a token'));
  t.not(createVault('one').nameOf('a token'), createVault('two').nameOf('a token'));
  t.not(createVault('one').nameOf('a token'), createVault('one').nameOf('another'));
});

t.test('the key file is created once, for this user only', async (t) => {
  const file = path.join(temporaryFolder(t), 'proxy.key');
  const secret = await readKeyFile(file);
  t.equal(Buffer.from(secret, 'base64url').length, 32);
  t.equal(await readKeyFile(file), secret);
  if (process.platform !== 'win32') t.equal(statSync(file).mode & 0o777, 0o600);
});

t.test('a damaged key file is never replaced', async (t) => {
  const file = path.join(temporaryFolder(t), 'proxy.key');
  for (const content of ['', 'short\n']) {
    writeFileSync(file, content);
    await t.rejects(readKeyFile(file), { name: 'StartupError', message: /damaged/ });
  }
});
