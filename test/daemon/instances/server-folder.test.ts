import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import {
  otherPorts,
  ownFolder,
  readFolderSettings,
  readPortProperties,
} from '../../../daemon/instances/server-folder.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

t.test('a server folder must be an absolute path, exist, and not be in use', async (t) => {
  const root = await realpath(temporaryFolder(t));
  const home = path.join(root, 'home');
  const mine = path.join(root, 'mine');
  const other = path.join(root, 'other');
  for (const folder of [home, mine, path.join(mine, 'inner'), other, path.join(home, 'instances', 'kept')])
    await mkdir(folder, { recursive: true });
  await writeFile(path.join(root, 'file'), '');
  await symlink(other, path.join(root, 'link'));
  const around = { home, others: [{ id: 'taken', directory: other }] };

  t.equal(await ownFolder(mine, around), mine);
  t.equal(await ownFolder(path.join(home, 'instances', 'kept'), around), path.join(home, 'instances', 'kept'));
  const refusals: [string, string, RegExp][] = [
    ['mine', 'invalid_request', /directory: must be an absolute path/],
    [path.join(root, 'nowhere'), 'invalid_request', /nowhere does not exist/],
    [path.join(root, 'file'), 'invalid_request', /file is not a folder/],
    [root, 'invalid_request', /holds Gamekeeper's own data directory/],
    [home, 'invalid_request', /Gamekeeper's own data directory/],
    [path.join(home, 'instances'), 'invalid_request', /holds|in Gamekeeper's own/],
    [other, 'instance_exists', /belongs to the instance "taken"/],
    [path.join(root, 'link'), 'instance_exists', /belongs to the instance "taken"/],
  ];
  for (const [directory, code, message] of refusals)
    await t.rejects(ownFolder(directory, around), { code, message }, directory);
  const nested = { home, others: [{ id: 'taken', directory: mine }] };
  await t.rejects(ownFolder(path.join(mine, 'inner'), nested), { code: 'instance_exists', message: /overlaps/ });
});

t.test('the settings of a folder are read from server.properties', async (t) => {
  const folder = temporaryFolder(t);
  t.same(await readFolderSettings(folder), { rconEnabled: false });
  t.same(await readFolderSettings(path.join(folder, 'missing')), { rconEnabled: false });
  await writeFile(
    path.join(folder, 'server.properties'),
    '#Minecraft\nserver-port=25570\nenable-rcon=true\nrcon.port=25571\nrcon.password=p\\=w\n',
  );
  t.same(await readFolderSettings(folder), { port: 25_570, rconEnabled: true, rconPort: 25_571, rconPassword: 'p=w' });
  await writeFile(path.join(folder, 'server.properties'), 'server-port=none\nrcon.password=\n');
  t.same(await readFolderSettings(folder), { rconEnabled: false });
  await writeFile(path.join(folder, 'server.properties'), 'server-port=25570\na=C:\\users\n');
  t.same(await readFolderSettings(folder), { rconEnabled: false }, 'a file that cannot be parsed');
});

t.test('ports that only the file defines count if they are enabled', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'server.properties');
  t.same(otherPorts(await readPortProperties(folder)), [], 'no file');
  const management = 'management-server-enabled=true\nmanagement-server-port=';
  const texts: [string, number[]][] = [
    ['enable-query=false\nquery.port=25566\n', []],
    ['enable-query=true\nquery.port=25566\n', [25_566]],
    ['enable-query=true\n', [25_565]],
    [`${management}25585\n`, [25_585]],
    [`${management}0\n`, []],
    ['server-portv6=19133\n', [19_133]],
    ['enable-query=true\nbroken=\\u12', []],
  ];
  for (const [text, ports] of texts) {
    await writeFile(file, text);
    t.same(
      otherPorts(await readPortProperties(folder)).map(({ port }) => port),
      ports,
      text,
    );
  }
});
