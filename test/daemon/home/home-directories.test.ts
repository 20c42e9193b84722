import { chmod, mkdir, readdir, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { checkHome, prepareHome, prepareSockets, removeShortSockets } from '../../../daemon/home/home-directories.ts';
import { homeAt, shortSocketDirectory } from '../../../shared/node/files/home.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

t.test('private folders get mode 0700, even if they had another', async (t) => {
  const home = homeAt(path.join(temporaryFolder(t), 'a', 'b'));
  await checkHome(home);
  await prepareHome(home);
  const modes = () =>
    Promise.all([home.root, home.run, home.logs, home.instances].map(async (at) => (await stat(at)).mode & 0o777));
  t.same(await modes(), [0o700, 0o700, 0o700, 0o700]);
  await chmod(home.run, 0o755);
  await checkHome(home);
  await prepareHome(home);
  t.equal((await stat(home.run)).mode & 0o777, 0o700);
});

t.test('an unusable data directory is reported with the reason and what to do', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  for (const [root, reason] of [
    [file, /file cannot be used: it is a file/],
    [path.join(file, 'home'), /part of its path is a file/],
  ] as const)
    await t.rejects(checkHome(homeAt(root)), { name: 'StartupError', exitCode: 1, message: reason }, root);
  t.same(await readdir(folder), ['file'], 'the check creates nothing');
  if (process.platform === 'linux')
    await t.rejects(
      prepareHome(homeAt('/proc/nobody/home')),
      { message: /GAMEKEEPER_HOME/ },
      'it rejects instead of hanging',
    );
});

t.test('sockets of a home with a long path have a private folder, which is removed when empty', async (t) => {
  const home = homeAt(path.join(temporaryFolder(t), 'x'.repeat(80)));
  const sockets = shortSocketDirectory(home.root);
  await prepareHome(home);
  await t.rejects(stat(sockets), { code: 'ENOENT' }, 'not created before the home is locked');
  await prepareSockets(home);
  t.equal(path.dirname(home.daemonSocket), sockets);
  t.equal((await stat(sockets)).mode & 0o777, 0o700);
  await removeShortSockets(home);
  await t.rejects(stat(sockets), { code: 'ENOENT' });

  const elsewhere = path.join(temporaryFolder(t), 'elsewhere');
  await mkdir(elsewhere);
  await symlink(elsewhere, sockets);
  t.teardown(() => unlink(sockets));
  await t.rejects(
    prepareSockets(home),
    { message: /belongs to another user|open to others/ },
    'a link of another user',
  );
});
