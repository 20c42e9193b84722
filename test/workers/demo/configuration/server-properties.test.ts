import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parseProperties } from '../../../../workers/demo/configuration/properties-format.ts';
import { loadServerProperties, storeServerProperty } from '../../../../workers/demo/configuration/server-properties.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const NOW = new Date('2026-11-20T08:15:00Z');

t.test('creates a missing server.properties with vanilla’s defaults and comments', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  t.match(await loadServerProperties(file, NOW), {
    serverIp: '127.0.0.1',
    serverPort: 25_565,
    enableRcon: false,
    rconPort: 25_575,
    levelName: 'world',
    maxPlayers: 20,
    motd: 'A Minecraft Server',
    enableStatus: true,
    whiteList: false,
  });
  const text = await readFile(file, 'utf8');
  t.match(text, /^#Minecraft server properties\n#.*2026/);
  t.equal(parseProperties(text).get('rcon.port'), '25575');
  t.match(await loadServerProperties(file, NOW), { serverPort: 25_565 }, 'the file is read the second time');
});

t.test('uses the default instead of an invalid value', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  await writeFile(file, 'server-port=minecraft\nmax-players=-3\nrcon.port=70000\nenable-status=yes\nmotd=\\u00a7aHi\n');
  t.match(await loadServerProperties(file, NOW), {
    serverPort: 25_565,
    maxPlayers: 20,
    rconPort: 25_575,
    enableStatus: false,
    motd: '§aHi',
  });
});

t.test('stores a value with all others as they were read at the start, like vanilla', async (t) => {
  const file = join(temporaryFolder(t), 'server.properties');
  await writeFile(file, 'motd=Hi\na\\:b=c\nwhite-list=false\n');
  const properties = await loadServerProperties(file, NOW);
  await writeFile(file, '# edited\nmotd=Ho\n');
  await storeServerProperty(file, properties, { key: 'white-list', value: 'true', now: NOW });
  const text = await readFile(file, 'utf8');
  t.match(text, /^#Minecraft server properties\n#.*2026/);
  t.same(Object.fromEntries(parseProperties(text)), { motd: 'Hi', 'a:b': 'c', 'white-list': 'true' });
});
