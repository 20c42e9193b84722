import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ConfigFile } from '../../../../shared/domain/software/definition.ts';
import type { Variable } from '../../../../shared/domain/software/variable.ts';
import { writeConfigFiles } from '../../../../workers/supervisor/config-files/write-config-files.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

const VALUES = { port: '27100', motd: 'Hi: "you" # {port}', pvp: 'true', slots: '9' };
const VARIABLES: Variable[] = [
  { name: 'motd', type: 'text', default: '', editableBy: 'operator' },
  { name: 'pvp', type: 'boolean', default: 'false', editableBy: 'operator' },
  { name: 'slots', type: 'number', default: '8', editableBy: 'operator' },
];

async function changed(
  t: Test,
  config: Pick<ConfigFile, 'format' | 'set'>,
  before?: string,
): Promise<{ text: string; again: () => Promise<bigint[]> }> {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'conf/game.conf');
  mkdirSync(path.dirname(file));
  if (before !== undefined) writeFileSync(file, before);
  const write = () =>
    writeConfigFiles(folder, { configFiles: [{ file: 'conf/game.conf', ...config }], variables: VARIABLES }, VALUES);
  await write();
  const inode = () => statSync(file, { bigint: true }).ino;
  const first = inode();
  return {
    text: readFileSync(file, 'utf8'),
    again: () => write().then(() => [first, inode()]),
  };
}

const CASES: {
  name: string;
  format: ConfigFile['format'];
  set: ConfigFile['set'];
  before: string;
  after: string;
  fresh?: string;
}[] = [
  {
    name: 'INI with repeated keys and sections with points and slashes',
    format: 'ini',
    set: {
      name: '{motd}',
      '[/Script/Engine.GameSession].MaxPlayers': '{slots}',
      '[/Script/Engine.GameSession].Admin': ['a', 'b'],
      '[Net.X].Port': '{port}',
    },
    before:
      '; about\r\nname = old\r\n\r\n[/Script/Engine.GameSession]\r\nAdmin=x\r\n; kept\r\nAdmin=y\r\nAdmin=z\r\nMaxPlayers=8\r\nOther=1\r\n',
    after:
      '; about\r\nname = Hi: "you" # {port}\r\n\r\n[/Script/Engine.GameSession]\r\nAdmin=a\r\n; kept\r\nAdmin=b\r\nMaxPlayers=9\r\nOther=1\r\n\r\n[Net.X]\r\nPort=27100\r\n',
    fresh:
      'name=Hi: "you" # {port}\n\n[/Script/Engine.GameSession]\nMaxPlayers=9\nAdmin=a\nAdmin=b\n\n[Net.X]\nPort=27100\n',
  },
  {
    name: 'JSON with comments',
    format: 'json',
    set: { port: '{port}', 'server.pvp': '{pvp}', 'server.name': '{motd}', 'list.*.port': '{port}' },
    before: '{\n\t// kept\n\t"port": "1",\n\t"server": {\n\t\t"pvp": false\n\t},\n\t"list": [{ "port": 1 }]\n}\n',
    after:
      '{\n\t// kept\n\t"port": "27100",\n\t"server": {\n\t\t"pvp": true,\n\t\t"name": "Hi: \\"you\\" # {port}"\n\t},\n\t"list": [{ "port": 27100 }]\n}\n',
  },
  {
    name: 'YAML',
    format: 'yaml',
    set: { 'listeners[0].host': '0.0.0.0:{port}', 'listeners[0].motd': '{motd}', online: '{pvp}', max: '{slots}' },
    before: '# kept\nlisteners:\n  - host: x # why\n    motd: y\nonline: false\n',
    after:
      '# kept\nlisteners:\n  - host: 0.0.0.0:27100 # why\n    motd: \'Hi: "you" # {port}\'\nonline: true\nmax: 9\n',
    fresh: '',
  },
  {
    name: 'TOML',
    format: 'toml',
    set: { bind: '0.0.0.0:{port}', 'query.port': '{port}', 'query.on': '{pvp}' },
    before: '# kept\nbind = "x" # why\n\n[query]\nport = 1\n',
    after: '# kept\nbind = "0.0.0.0:27100" # why\n\n[query]\nport = 27100\non = true\n',
  },
  {
    name: 'XML',
    format: 'xml',
    set: {
      "ServerSettings.property[@name='Port'].@value": '{port}',
      'ServerSettings.name': '{motd}',
      "ServerSettings.property[name='New'].@value": '1',
    },
    before:
      '<?xml version="1.0"?>\n<ServerSettings>\n  <!-- kept -->\n  <property name="Port" value="1"/>\n  <name>x</name>\n</ServerSettings>',
    after:
      '<?xml version="1.0"?>\n<ServerSettings>\n  <!-- kept -->\n  <property name="Port" value="27100"/>\n  <name>Hi: "you" # {port}</name>\n<property name="New" value="1"/></ServerSettings>',
    fresh: '',
  },
  {
    name: 'properties',
    format: 'properties',
    set: { port: '{port}', motd: 'é {slots}' },
    before: '# kept\nport: 1\n',
    after: '# kept\nport: 27100\nmotd=\\u00e9 9\n',
    fresh: 'port=27100\nmotd=\\u00e9 9\n',
  },
  {
    name: 'lines of any syntax',
    format: 'lines',
    set: { 'set port': 'set port "{port}"', sv_name: 'sv_name {motd}' },
    before: '// kept\n  set port "1"\n',
    after: '// kept\nset port "27100"\nsv_name Hi: "you" # {port}\n',
    fresh: 'set port "27100"\nsv_name Hi: "you" # {port}\n',
  },
];

for (const { name, format, set, before, after, fresh } of CASES)
  t.test(`${name}: the keys are set, the rest stays, and nothing is written twice`, async (t) => {
    const { text, again } = await changed(t, { format, set }, before);
    t.equal(text, after);
    const [first, second] = await again();
    t.equal(first, second, 'the same file');
    if (fresh) t.equal((await changed(t, { format, set })).text, fresh);
  });

t.test('a file that cannot be parsed is reported by its name', async (t) => {
  const broken = { json: '{"a": ', yaml: 'a: [', toml: 'a = = 1', xml: '<a><b></a>' } as const;
  for (const [format, text] of Object.entries(broken) as [ConfigFile['format'], string][])
    await t.rejects(changed(t, { format, set: { a: '1' } }, text), {
      ...{ code: 'invalid_state', message: new RegExp(`^conf/game\\.conf cannot be understood as ${format}: `) },
      resolution: 'Correct the file, or remove it.',
    });
});

t.test('no link leads out of the folder', async (t) => {
  const folder = temporaryFolder(t);
  const outside = temporaryFolder(t);
  writeFileSync(path.join(outside, 'x.ini'), 'a=1\n');
  symlinkSync(outside, path.join(folder, 'conf'));
  symlinkSync(path.join(outside, 'x.ini'), path.join(folder, 'x.ini'));
  for (const file of ['conf/x.ini', 'x.ini'])
    await t.rejects(writeConfigFiles(folder, { configFiles: [{ file, format: 'ini', set: { a: '2' } }] }, VALUES), {
      code: 'invalid_state',
    });
  t.equal(readFileSync(path.join(outside, 'x.ini'), 'utf8'), 'a=1\n');
});

t.test(
  'a character that a file in ISO 8859-1 cannot hold is refused: its last byte would be a line end or a quote',
  async (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'a.ini');
    const before = Buffer.from('owner=J\xfcrgen\nname=old\n', 'latin1');
    writeFileSync(file, before);
    const write = (motd: string) =>
      writeConfigFiles(folder, { configFiles: [{ file: 'a.ini', format: 'ini', set: { name: '{motd}' } }] }, { motd });
    for (const motd of ['x\u010aadmin=y', 'x\u0122y', 'x\u{1f40a}'])
      await t.rejects(write(motd), { code: 'invalid_state', message: /^a\.ini is not in UTF-8 and cannot hold/ }, motd);
    t.same(readFileSync(file), before, 'nothing is written');
    await write('Gr\xfcn');
    t.equal(readFileSync(file, 'latin1'), 'owner=J\xfcrgen\nname=Gr\xfcn\n');
  },
);
