/**
 * SFTP sessions end with the right to them, while a file is being written, and the old file stays whole (SFTP servers of other panels: Wings CVE-2025-68954 and
 * GHSA-hr7j-63v7-vj7g: sessions stayed open after a change of permissions or of the password).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ssh2, { type SFTPWrapper } from 'ssh2';
import t, { type Test } from 'tap';
import type { SshKey } from '../../shared/schema/ssh-keys.ts';
import { administrator, newUser } from '../support/browser/panel-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';
import { connectSsh } from '../support/sftp/ssh-client.ts';

const gamekeeper = await startGamekeeper(t);
const { password } = gamekeeper;
const admin = await administrator(gamekeeper);
await admin.ask('POST', '/instances', { name: 'Demo', software: 'demo' });
await admin.ask('POST', '/instances', { name: 'Doomed', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
mkdirSync(folder, { recursive: true });
const { port } = await openSsh(t, gamekeeper);
const grant = (id: string, files: 'read' | 'write') => ({ id, role: 'operator' as const, files });

/** Opens a session that has written half of a file when `revoke` runs. */
async function endsBy(t: Test, username: string, revoke: () => Promise<unknown>, key?: string): Promise<void> {
  writeFileSync(path.join(folder, 'world'), 'old');
  const { closed, ...session } = await connectSsh(t, port, { username, ...(key ? { privateKey: key } : { password }) });
  const sftp = await session.sftp();
  const handle = await opened(sftp, '/demo/world');
  await new Promise<void>((resolve, reject) =>
    sftp.write(handle, Buffer.from('half'), 0, 4, 0, (error) => (error ? reject(error) : resolve())),
  );
  t.ok(readdirSync(path.join(folder, '.gamekeeper-files/staged')).length > 0, 'it is being written');
  await revoke();
  await closed;
  t.equal(readFileSync(path.join(folder, 'world'), 'utf8'), 'old');
  await until(
    'what was written is gone',
    () => readdirSync(path.join(folder, '.gamekeeper-files/staged')).length === 0,
  );
}

function opened(sftp: SFTPWrapper, file: string): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    sftp.open(file, 'w', (error, handle) => (error ? reject(error) : resolve(handle))),
  );
}

let count = 0;
async function user(instances = [grant('demo', 'write')]) {
  const username = `user${++count}`;
  return { username, own: await newUser(gamekeeper, admin, { username, role: 'operator', instances }) };
}

const change = (username: string, body: object) => () => admin.ask('PATCH', `/api/users/${username}`, body);

t.test('when the user is disabled, deleted, or gets another password, role or grant', async (t) => {
  for (const body of [
    { disabled: true },
    { password: 'another long password' },
    { role: 'viewer' },
    { instances: [grant('demo', 'read')] },
    { instances: [] },
    { mustChangePassword: true },
  ]) {
    const { username } = await user();
    await endsBy(t, username, change(username, body));
  }
  const { username } = await user();
  await endsBy(t, username, () => admin.ask('DELETE', `/api/users/${username}`));
});

t.test('when the user chooses another password or begins to use a second factor', async (t) => {
  const { username, own } = await user();
  const chosen = { currentPassword: password, newPassword: 'another long password' };
  await endsBy(t, username, () => own.ask('PUT', '/api/password', chosen));
});

t.test('when the key is removed, and not when another one is', async (t) => {
  const { username, own } = await user();
  const add = async () => {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    const { body } = await own.ask<SshKey>('POST', '/api/ssh-keys', { publicKey: pair.public, password });
    return { ...pair, remove: () => own.ask('DELETE', `/api/ssh-keys/${body.id}`) };
  };
  const [key, other] = [await add(), await add()];
  const untouched = await connectSsh(t, port, { username, privateKey: key.private });
  await endsBy(t, username, other.remove, other.private);
  const sftp = await untouched.sftp();
  t.ok(await opened(sftp, '/demo/other'), 'a session with the other key goes on');
  await endsBy(t, username, key.remove, key.private);
});

t.test('when a server that the user sees is deleted', async (t) => {
  const { username } = await user([grant('demo', 'write'), grant('doomed', 'write')]);
  await endsBy(t, username, () => admin.ask('DELETE', '/instances/doomed?files=delete&backups=delete'));
});

t.test('when SFTP is turned off', async (t) => {
  const { username } = await user();
  await endsBy(t, username, () => admin.ask('PUT', '/api/settings', { sftp: { enabled: false } }));
  await t.rejects(connectSsh(t, port, { username, password }));
});
