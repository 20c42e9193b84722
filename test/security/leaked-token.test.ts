/**
 * A leaked token can neither read nor write files of the host: it cannot change settings or create tokens or users, and its responses have no
 * secrets (CVE-2024-34066 of Wings: a leaked token rewrote the configuration, and thereby read and wrote any file of the host).
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const SECRETS = ['s3-secret-key-of-the-owner', 'webdav-password-of-the-owner', 'AGE-SECRET-KEY-1'];
const STORES = [
  {
    name: 's3',
    kind: 's3',
    endpoint: 'https://127.0.0.1:9',
    bucket: 'bucket',
    accessKeyId: 'id',
    secretAccessKey: SECRETS[0],
  },
  { name: 'dav', kind: 'webdav', url: 'https://127.0.0.1:9/', username: 'u', password: SECRETS[1] },
];

const gamekeeper = await startGamekeeper(t, { settings: { backups: { stores: STORES } } });
const admin = await signedInAdmin(gamekeeper);
await gamekeeper.api('POST', '/instances', {
  name: 'Demo',
  software: 'demo',
  rcon: { port: 25599, password: 'rcon-password' },
});
const settingsFile = path.join(gamekeeper.home, 'settings.json');
const before = readFileSync(settingsFile, 'utf8');

const CHANGES = [
  { backups: { directory: '/etc' } },
  { backups: { stores: [{ name: 'x', kind: 'folder', directory: '/etc' }] } },
  { backups: { stores: [{ name: 'x', kind: 'rclone', remote: 'x:y', program: '/bin/sh' }] } },
  { vendors: { mojang: 'http://169.254.169.254' } },
  { remoteControl: { host: '0.0.0.0', insecure: true } },
  { remoteControl: { tls: { cert: '/etc/shadow', key: '/etc/shadow' } } },
  { redaction: { exceptions: ['.*'] } },
];

t.test('only administrators in the panel can change settings', async (t) => {
  for (const change of CHANGES)
    t.match(await gamekeeper.api('PUT', '/api/settings', change), { status: 403 }, JSON.stringify(change));
  t.match(await gamekeeper.api('GET', '/api/settings'), { status: 403 });
  t.match(await gamekeeper.api('POST', '/api/stores/s3/test'), { status: 403 });
  t.equal(readFileSync(settingsFile, 'utf8'), before);
});

t.test('a token cannot create other credentials', async (t) => {
  t.match(await gamekeeper.api('POST', '/api/tokens', { name: 'again' }), { status: 403 });
  t.match(await gamekeeper.api('GET', '/api/tokens'), { status: 403 });
  t.match(await gamekeeper.api('POST', '/api/users', { username: 'me', role: 'admin' }), { status: 403 });
  t.match(await gamekeeper.api('PATCH', '/api/users/admin', { password: 'one that I know' }), { status: 403 });
  const change = { currentPassword: gamekeeper.password, newPassword: 'one that I know' };
  t.match(await gamekeeper.api('PUT', '/api/password', change), { status: 403 });
  t.match(await gamekeeper.api('POST', '/api/totp', { password: gamekeeper.password }), { status: 403 });
  t.match(await gamekeeper.api('GET', '/api/audit'), { status: 403 });
});

t.test(
  'secrets cannot be read back, neither by an administrator nor from errors nor by sending them to another address',
  async (t) => {
    const { body } = await admin.api('GET', '/api/settings');
    const texts = [JSON.stringify(body), (await gamekeeper.cli('status', '--json')).stdout];
    // The masked secret with the address of an attacker.
    const [s3, dav] = STORES;
    const moved = [
      { ...s3, endpoint: 'https://127.0.0.1:10', secretAccessKey: '********' },
      { ...s3, endpoint: undefined, secretAccessKey: '********' },
      { ...dav, url: 'http://127.0.0.1:9/', password: '********' },
      {
        name: 'dav',
        kind: 'sftp',
        host: '127.0.0.1',
        username: 'u',
        directory: '/',
        hostKey: 'unknown',
        password: '********',
      },
    ];
    for (const store of moved) {
      const answer = await admin.api('PUT', '/api/settings', { backups: { stores: [store] } });
      t.equal(answer.status, 400, 'a new address needs the secret itself');
      texts.push(JSON.stringify(answer.body));
    }
    const renamed = { ...s3, bucket: 'another', secretAccessKey: '********' };
    t.equal((await admin.api('PUT', '/api/settings', { backups: { stores: [renamed, dav] } })).status, 200);
    const bad = await admin.api('PUT', '/api/settings', { backups: { stores: [{ ...s3, region: 7 }] } });
    t.equal(bad.status, 400);
    texts.push(JSON.stringify(bad.body));
    for (const where of ['/instances/demo', '/instances/demo/properties', '/instances', '/openapi.json', '/metrics'])
      texts.push(JSON.stringify((await gamekeeper.api('GET', where)).body));
    for (const text of texts)
      for (const secret of [...SECRETS, 'rcon-password', gamekeeper.password]) t.notOk(text.includes(secret), secret);
  },
);

t.test('files with secrets are readable by their owner only', async (t) => {
  for (const file of ['settings.json', 'gamekeeper.db'])
    t.equal(statSync(path.join(gamekeeper.home, file)).mode & 0o077, 0, file);
});
