/** Files of servers through OpenSSH's own client. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { openSsh } from '../support/sftp/open-ssh.ts';

if (!requireProgram(t, 'sftp', 'openssh-client')) process.exit(0);
const gamekeeper = await startGamekeeper(t);
await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo' });
await gamekeeper.api('POST', '/instances', { name: 'Other', software: 'demo' });
const folder = path.join(gamekeeper.home, 'instances/demo');
const ssh = await openSsh(t, gamekeeper);
const admin = { username: 'admin', password: gamekeeper.password };

t.test('servers are folders, and files can be listed, uploaded, downloaded, renamed and deleted', async (t) => {
  const own = temporaryFolder(t);
  writeFileSync(path.join(own, 'shop.yml'), 'price: 1\n', { mode: 0o640 });
  mkdirSync(folder, { recursive: true });
  symlinkSync('/etc/passwd', path.join(folder, 'link'));
  const { code, stdout, stderr } = await ssh.run(admin, [
    'ls -1 /',
    'cd demo',
    'mkdir plugins',
    `put ${own}/shop.yml plugins/shop.yml`,
    'ls -la plugins',
    `get plugins/shop.yml ${own}/back.yml`,
    'rename plugins/shop.yml plugins/store.yml',
    'chmod 600 plugins/store.yml',
    `put ${own}/shop.yml plugins/old.yml`,
    'rm plugins/old.yml',
    'mkdir empty',
    'rmdir empty',
    '-rmdir plugins',
    `-get link ${own}/stolen`,
    '-symlink /etc link2',
    '-get /demo/../../etc/passwd',
    'df /demo',
  ]);
  t.equal(code, 0, stderr);
  t.match(stdout, /\/demo\s+\/other/);
  t.equal(readFileSync(path.join(own, 'back.yml'), 'utf8'), 'price: 1\n');
  t.equal(readFileSync(path.join(folder, 'plugins/store.yml'), 'utf8'), 'price: 1\n');
  t.equal(statSync(path.join(folder, 'plugins/store.yml')).mode & 0o777, 0o600);
  t.same(readdirSync(path.join(folder, 'plugins')), ['store.yml']);
  t.notOk(existsSync(path.join(own, 'stolen')), 'links are not followed');
  t.same(readdirSync(folder).includes('link2'), false);
  t.match((await gamekeeper.api('GET', '/instances/demo/files/trash')).body, {
    entries: [{ path: 'plugins/old.yml' }],
  });
});

t.test('a wrong password does not sign in', async (t) => {
  const { code, stderr } = await ssh.run({ username: 'admin', password: 'wrong' }, ['ls']);
  t.equal(code, 255);
  t.match(stderr, /Permission denied/);
  t.equal((await ssh.run({ username: 'nobody', password: 'wrong' }, ['ls'])).code, 255);
});
