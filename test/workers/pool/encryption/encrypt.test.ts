import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import t, { type Test } from 'tap';
import type { EncryptionSettings } from '../../../../shared/schema/backup-settings.ts';
import { decrypt } from '../../../../workers/pool/encryption/decrypt.ts';
import { encrypt } from '../../../../workers/pool/encryption/encrypt.ts';
import { Progress } from '../../../../workers/pool/progress.ts';
import { spawnPty } from '../../../../workers/supervisor/process/pty.ts';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const run = promisify(execFile);

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function keyPair() {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** A sample file, and tasks for it. */
async function sample(t: Test, bytes: number) {
  const folder = temporaryFolder(t);
  const content = randomBytes(bytes);
  const at = (name: string) => path.join(folder, name);
  await writeFile(at('plain'), content);
  const task = (source: string, target: string, encryption: EncryptionSettings) => ({
    source: at(source),
    target: at(target),
    sha256: sha256(content),
    encryption,
    progress: new Progress().memory,
  });
  return { content, at, task };
}

t.test('files of any size can be encrypted and decrypted', async (t) => {
  const { identity } = await keyPair();
  for (const bytes of [0, 1, 65_535, 65_536, 65_537, 16 * 65_536, 16 * 65_536 + 1, 40 * 65_536 - 1]) {
    const { content, at, task } = await sample(t, bytes);
    const encrypting = task('plain', 'sealed', { identity });
    const { sizeBytes, sha256: sealedHash } = await encrypt(encrypting);
    const sealed = await readFile(at('sealed'));
    t.equal(sealed.length, sizeBytes);
    t.equal(sha256(sealed), sealedHash, 'the hash is that of the encrypted file');
    const { done, total } = new Progress(encrypting.progress);
    t.equal(done, bytes);
    t.equal(total, bytes);
    t.same(await decrypt(task('sealed', 'opened', { identity })), { sizeBytes: bytes });
    t.ok(content.equals(await readFile(at('opened'))), `${bytes} bytes`);
  }
});

t.test('the program age decrypts with the key of any recipient', async (t) => {
  if (!requireProgram(t, 'age', 'age')) return;
  const [one, other] = [await keyPair(), await keyPair()];
  const { content, at, task } = await sample(t, 3_000_000);
  await encrypt(task('plain', 'sealed', { recipients: [one.recipient, other.recipient] }));
  for (const { identity } of [one, other]) {
    await writeFile(at('key'), `${identity}\n`);
    await run('age', ['--decrypt', '--identity', at('key'), '--output', at('opened'), at('sealed')]);
    t.ok(content.equals(await readFile(at('opened'))));
  }
});

t.test('files from the program age can be decrypted', async (t) => {
  if (!requireProgram(t, 'age', 'age')) return;
  const { identity, recipient } = await keyPair();
  const { content, at, task } = await sample(t, 3_000_000);
  await run('age', ['--recipient', recipient, '--output', at('sealed'), at('plain')]);
  await decrypt(task('sealed', 'opened', { identity }));
  t.ok(content.equals(await readFile(at('opened'))));
});

t.test('passphrases work in both directions with the program age', async (t) => {
  if (!requireProgram(t, 'age', 'age')) return;
  const passphrase = 'burst-swarm-slender-curve';
  const { content, at, task } = await sample(t, 200_000);
  await encrypt(task('plain', 'sealed', { passphrase }));
  await typePassphrase(['--decrypt', '--output', at('opened'), at('sealed')], passphrase);
  t.ok(content.equals(await readFile(at('opened'))));

  await typePassphrase(['--passphrase', '--output', at('theirs'), at('plain')], passphrase);
  await decrypt(task('theirs', 'ours', { passphrase }));
  t.ok(content.equals(await readFile(at('ours'))));

  await t.rejects(decrypt(task('sealed', 'wrong', { passphrase: 'something-else' })), {
    code: 'decryption_failed',
    message: /passphrase/,
  });
});

t.test('a wrong or missing key gives a clear error', async (t) => {
  const [right, wrong] = [await keyPair(), await keyPair()];
  const { task } = await sample(t, 1000);
  await encrypt(task('plain', 'sealed', { recipients: [right.recipient] }));
  await t.rejects(decrypt(task('sealed', 'opened', { identity: wrong.identity })), {
    code: 'decryption_failed',
    message: 'The copy was not encrypted for the private key in the settings.',
  });
  await t.rejects(decrypt(task('sealed', 'opened', { recipients: [right.recipient] })), {
    code: 'decryption_failed',
    resolution: /backups\.encryption\.identity/,
  });
});

t.test('a mistyped key gives a clear error', async (t) => {
  const { identity, recipient } = await keyPair();
  const { task } = await sample(t, 1000);
  await encrypt(task('plain', 'sealed', { identity }));
  const slip = (key: string, other: [string, string]) =>
    key.slice(0, -1) + (key.endsWith(other[0]) ? other[1] : other[0]);
  const wrong = { identity: slip(identity, ['Q', 'P']) };
  const refusal = { code: 'decryption_failed', message: /mistyped/ };
  for (const work of [
    () => encrypt(task('plain', 'other', wrong)),
    () => decrypt(task('sealed', 'opened', wrong)),
    () => encrypt(task('plain', 'another', { recipients: [slip(recipient, ['q', 'p'])] })),
  ])
    await t.rejects(work(), refusal);
});

t.test('any damage is detected', async (t) => {
  const { identity } = await keyPair();
  const { at, task } = await sample(t, 200_000);
  await encrypt(task('plain', 'sealed', { identity }));
  const sealed = await readFile(at('sealed'));
  const header = sealed.indexOf('\n--- ');
  const flipped = (position: number) => {
    const copy = Buffer.from(sealed);
    copy[position]! ^= 1;
    return copy;
  };
  const damages = {
    'a bit of the first chunk': flipped(header + 200),
    'the last bit': flipped(sealed.length - 1),
    'the header': flipped(header + 10),
    'truncated in a chunk': sealed.subarray(0, 100_000),
    'truncated between chunks': sealed.subarray(0, sealed.indexOf('\n', header + 1) + 1 + 16 + 2 * (65_536 + 16)),
    'truncated after the header': sealed.subarray(0, sealed.indexOf('\n', header + 1) + 1 + 16),
    'truncated in the header': sealed.subarray(0, 50),
    'something behind the end': Buffer.concat([sealed, Buffer.alloc(10)]),
    'no age file at all': randomBytes(100_000),
    nothing: Buffer.alloc(0),
  };
  for (const [name, content] of Object.entries(damages)) {
    await writeFile(at('damaged'), content);
    await t.rejects(decrypt(task('damaged', 'opened', { identity })), { code: 'backup_damaged' }, name);
  }
});

t.test('a damaged archive is not encrypted', async (t) => {
  const { identity } = await keyPair();
  const { at, task } = await sample(t, 100_000);
  await writeFile(at('plain'), randomBytes(100_000));
  await t.rejects(encrypt(task('plain', 'sealed', { identity })), { code: 'backup_damaged', message: /SHA-256/ });
});

/** age only asks for passphrases on a terminal: answers each question with this one. */
async function typePassphrase(args: string[], passphrase: string): Promise<void> {
  let output = '';
  let asked = 0;
  const terminal = spawnPty({
    command: { program: '/usr/bin/env', args: ['age', ...args], cwd: '/', env: { PATH: process.env.PATH ?? '' } },
    onData(data) {
      output += data;
      const asks = output.match(/passphrase[^\n]*: /gi)?.length ?? 0;
      for (; asked < asks; asked++) terminal.write(`${passphrase}\r`);
    },
  });
  const { exitCode } = await terminal.exited;
  if (exitCode !== 0) throw new Error(`age ended with status ${exitCode}: ${output}`);
}
