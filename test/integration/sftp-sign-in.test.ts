/** Second factor, keys and rights of users who connect by SFTP. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import type { SshKey } from '../../shared/schema/ssh-keys.ts';
import { administrator, newUser } from '../support/browser/panel-user.ts';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';

if (!requireProgram(t, 'sftp', 'openssh-client')) process.exit(0);
const gamekeeper = await startGamekeeper(t);
const { password } = gamekeeper;
const admin = await administrator(gamekeeper);
for (const name of ['One', 'Two', 'Three']) await admin.ask('POST', '/instances', { name, software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/one');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'server.properties'), 'rcon.password=hunter22\nmotd=Hello\n');
const ssh = await openSsh(t, gamekeeper);

t.test('a second factor is asked for, and a password alone is not enough', async (t) => {
  const anna = await newUser(gamekeeper, admin, {
    username: 'anna',
    role: 'operator',
    instances: [{ id: 'one', role: 'operator', files: 'write' }],
  });
  const begun = await anna.ask<{ secret: string }>('POST', '/api/totp', { password });
  const totp = new TOTP({ secret: Secret.fromBase32(begun.body.secret) });
  const confirmed = await anna.ask<{ recoveryCodes: string[] }>('POST', '/api/totp', { code: totp.generate() });
  const [recovery = '', other = ''] = confirmed.body.recoveryCodes;
  const user = { username: 'anna', password };
  t.equal((await ssh.run(user, ['ls'], ['-oPreferredAuthentications=password'])).code, 255);
  t.equal((await ssh.run({ ...user, code: '000000' }, ['ls'])).code, 255, 'a wrong code');
  t.equal((await ssh.run({ ...user, code: recovery }, ['ls'])).code, 0, 'a recovery code');
  t.equal((await ssh.run({ ...user, code: recovery }, ['ls'])).code, 255, 'once');
  t.equal((await ssh.run({ ...user, code: other }, ['ls'])).code, 0);
});

t.test('who may only read sees masks, and only servers with a grant', async (t) => {
  await newUser(gamekeeper, admin, {
    username: 'carl',
    role: 'operator',
    instances: ['two', { id: 'one', role: 'operator', files: 'read' }],
  });
  const own = temporaryFolder(t);
  const { code, stdout } = await ssh.run({ username: 'carl', password }, [
    'ls -1 /',
    `get /one/server.properties ${own}/got`,
    `-put ${own}/got /one/new`,
    '-rm /one/server.properties',
    '-mkdir /one/folder',
    '-rename /one/server.properties /one/other',
    '-chmod 777 /one/server.properties',
    '-ls /two',
    '-ls /three',
  ]);
  t.equal(code, 0);
  t.match(stdout, /ls -1 \/\n\/one\nsftp/, 'nothing but that one');
  t.equal(readFileSync(path.join(own, 'got'), 'utf8'), 'rcon.password=********\nmotd=Hello\n');
  t.equal(readFileSync(path.join(folder, 'server.properties'), 'utf8'), 'rcon.password=hunter22\nmotd=Hello\n');
});

t.test('a user who has to change the password, or is disabled, cannot sign in', async (t) => {
  await admin.ask('POST', '/api/users', { username: 'dora', role: 'operator', password, mustChangePassword: true });
  t.equal((await ssh.run({ username: 'dora', password }, ['ls'])).code, 255);
  await admin.ask('PATCH', '/api/users/dora', { mustChangePassword: false, disabled: true });
  t.equal((await ssh.run({ username: 'dora', password }, ['ls'])).code, 255);
});

t.test('keys of all supported types sign in, as long as they are in the account', async (t) => {
  const keys = temporaryFolder(t);
  const eve = await newUser(gamekeeper, admin, { username: 'eve', role: 'operator' });
  const make = (type: string, bits: string) => {
    const file = path.join(keys, `${type}${bits}`);
    execFileSync('ssh-keygen', [
      '-q',
      '-t',
      type,
      ...(bits ? ['-b', bits] : []),
      '-N',
      '',
      '-C',
      'my laptop',
      '-f',
      file,
    ]);
    return { file, publicKey: readFileSync(`${file}.pub`, 'utf8') };
  };
  for (const [type, bits] of [
    ['ed25519', ''],
    ['ecdsa', '256'],
    ['ecdsa', '521'],
    ['rsa', '2048'],
  ] as const) {
    const { file, publicKey } = make(type, bits);
    t.equal((await ssh.run({ username: 'eve', identity: file }, ['ls'])).code, 255, 'not before it is added');
    const added = await eve.ask<SshKey>('POST', '/api/ssh-keys', { publicKey, password });
    t.match(added, { status: 201, body: { label: 'my laptop' } });
    t.match(execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' }), added.body.fingerprint);
    t.equal((await ssh.run({ username: 'eve', identity: file }, ['ls'])).code, 0, `${type} ${bits}`);
    t.equal((await ssh.run({ username: 'carl', identity: file }, ['ls'])).code, 255, 'for this user only');
    t.equal((await eve.ask('DELETE', `/api/ssh-keys/${added.body.id}`)).status, 204);
    t.equal((await ssh.run({ username: 'eve', identity: file }, ['ls'])).code, 255, 'not after it is removed');
  }
  const { publicKey } = make('ed25519', '256');
  t.match(await eve.ask('POST', '/api/ssh-keys', { publicKey, password: 'wrong' }), { status: 400 });
  t.match(await eve.ask('POST', '/api/ssh-keys', { publicKey }), { status: 400 });
  const weak = make('rsa', '1024').publicKey;
  t.match(await eve.ask('POST', '/api/ssh-keys', { publicKey: weak, password }), { status: 400 });
  const headers = { authorization: `Bearer ${await gamekeeper.token()}` };
  const byToken = await gamekeeper.api('POST', '/api/ssh-keys', { publicKey, password }, headers);
  t.equal(byToken.status, 403, 'a token cannot add one');
});

t.test('the command line manages keys, and shows the fingerprint of the server', async (t) => {
  const keys = temporaryFolder(t);
  const file = path.join(keys, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'my laptop', '-f', file]);
  t.match(await gamekeeper.cli('ssh-keys', 'add', 'admin', `${file}.pub`, '--label', 'Work'), { code: 0 });
  t.equal((await ssh.run({ username: 'admin', identity: file }, ['ls'])).code, 0);
  t.match((await gamekeeper.cli('ssh-keys', 'ls', 'admin')).stdout, /Work +ssh-ed25519 +SHA256:/);
  const [key] = JSON.parse((await gamekeeper.cli('ssh-keys', 'ls', 'admin', '--json')).stdout) as SshKey[];
  t.match(await gamekeeper.cli('ssh-keys', 'rm', 'admin', key!.id), { code: 0 });
  t.match((await gamekeeper.cli('ssh-keys', 'ls', 'admin')).stdout, /no SSH keys/);
  const { body } = await admin.ask<{ listening: { fingerprint: string } }>('GET', '/api/sftp');
  const scanned = execFileSync('ssh-keyscan', ['-p', String(ssh.port), '127.0.0.1'], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const known = path.join(keys, 'known');
  writeFileSync(known, scanned);
  t.match(execFileSync('ssh-keygen', ['-lf', known], { encoding: 'utf8' }), body.listening.fingerprint);
  t.match((await gamekeeper.cli('status')).stdout, body.listening.fingerprint);
});
