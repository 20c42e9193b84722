// biome-ignore-all lint/suspicious/noTemplateCurlyInString: eggs and shells refer to variables this way
import t from 'tap';
import { stringify } from 'yaml';
import { importKind } from '../../../../daemon/software/import/import-kind.ts';
import { someEgg } from './eggs.ts';

const imported = (value: unknown) => importKind(JSON.stringify(value));

t.test('an egg becomes a kind with variables, ports, settings files and its signal to stop', async (t) => {
  const egg = {
    ...someEgg(0),
    name: 'Space Game',
    startup:
      './bin/GameServer --name "{{SERVER_NAME}}" --port {{SERVER_PORT}} -q ${QUERY_PORT} --map={{MAP}} {{NOWHERE}}',
    config: {
      files: JSON.stringify({
        'cfg/a.ini': { parser: 'ini', find: { 'Net.Game.Port': '{{server.build.env.QUERY_PORT}}' } },
      }),
      startup: '{"done": "Up (really)!"}',
      stop: '^C',
    },
  };
  const { file, notes, scripts } = imported(egg);
  t.match(file, {
    kind: 'space-game',
    title: 'Space Game',
    launch: {
      type: 'installed',
      program: { linux: 'bin/GameServer' },
      args: ['--name', '{SERVER_NAME}', '--port', '{port}', '-q', '{port.query}', '--map={MAP}', ''],
      env: { HOME: '{directory}', SERVER_NAME: '{SERVER_NAME}', SERVER_PORT: '{port}', QUERY_PORT: '{port.query}' },
    },
    gamePort: { first: 27_015, transport: 'udp' },
    ports: [{ name: 'query', transport: 'udp', first: 27_003 }],
    configFiles: [{ file: 'cfg/a.ini', format: 'ini', set: { '[Net.Game].Port': '{port.query}' } }],
    readyPattern: 'Up \\(really\\)!',
    stop: { signal: 'INT' },
  });
  t.notOk('extends' in file);
  const variables = Object.fromEntries((file.variables ?? []).map((one) => [one.name, one]));
  t.match(variables, {
    SERVER_NAME: { type: 'text', rule: { required: true, maxLength: 64 }, default: 'A Server', editableBy: 'operator' },
    MAX_PLAYERS: { type: 'number', rule: { min: 1, max: 64 }, default: '16' },
    MAP: { type: 'text', rule: { pattern: '(\\w+|maps\\/\\w+)' } },
    PVP: { type: 'choice', rule: { choices: ['0', '1'] } },
    DIFFICULTY: { type: 'choice', rule: { choices: ['0', '1', '-1'] }, default: '0' },
    SRCDS_APPID: { editableBy: 'nobody' },
    ADMIN_PASSWORD: { secret: true },
    ODD: { type: 'text', rule: { required: true } },
    FA_CODE: { default: 'two lines' },
    LATE_PORT: { default: '40000' },
  });
  t.match(notes.join('\n'), /Steam app 565060 is installed with SteamCMD at the first start/);
  t.same(file.install, { steps: [{ type: 'steam', appId: 565060, beta: '{version}' }] });
  t.equal(file.defaultVersion, 'public');
  t.match(notes.join('\n'), /"NOWHERE" has no value here/);
  t.match(scripts, [{ title: 'Installation script', text: /\+app_update/ }]);
});

t.test(
  'what only a shell can start gets its values as environment variables, never as part of the script',
  async (t) => {
    const { file } = imported({
      ...someEgg(0),
      startup: 'export A={{SERVER_NAME}}; ./server ${MAP} {{server.build.default.port}} $(id)',
    });
    t.match(file.launch, {
      type: 'system',
      program: ['bash', 'sh'],
      args: ['-c', 'export A=${SERVER_NAME-}; ./server ${MAP-} ${SERVER_PORT-} $(id)'],
      env: { SERVER_NAME: '{SERVER_NAME}', MAP: '{MAP}', SERVER_PORT: '{port}' },
    });
  },
);

t.test('only administrators set what a shell could run as a command', async (t) => {
  const { file, notes } = imported({ ...someEgg(0), startup: '[[ {{ODD}} -eq 1 ]] && ./server {{MAP}}' });
  const editors = Object.fromEntries((file.variables ?? []).map((one) => [one.name, one.editableBy]));
  t.match(editors, { ODD: 'admin', MAX_PLAYERS: 'operator', MAP: 'operator', SRCDS_APPID: 'nobody' });
  t.match(notes.join('\n'), /only administrators can set [\w, ]*ODD/);
});

t.test('the folder of a container is the folder of the server', (t) => {
  const config = {
    files: JSON.stringify({ 'a.ini': { parser: 'ini', find: { 'Main.root': '/home/container/saves' } } }),
    startup: '{"done": "Up"}',
    stop: 'stop',
  };
  const variables = [{ name: 'Libraries', env_variable: 'LIBRARIES', default_value: '/home/container/lib' }];
  const kind = (startup: string) => imported({ ...someEgg(0), startup, config, variables });
  const { file, notes } = kind('./server --root /home/container --log=/home/container/logs --other /home/container2');
  t.match(file.launch, { args: ['--root', '{directory}', '--log={directory}/logs', '--other', '/home/container2'] });
  t.match(file.configFiles, [{ set: { '[Main].root': '{directory}/saves' } }]);
  t.match(file.variables, [{ default: './lib' }]);
  t.match(notes.join('\n'), /LIBRARIES was a path in a container/);
  t.match(kind('cd bin && ./server /home/container/saves').file.launch, {
    args: ['-c', 'cd bin && ./server $HOME/saves'],
  });
  t.end();
});

t.test('a Java egg runs on the newest Java of its images', async (t) => {
  const { file } = imported({
    ...someEgg(1),
    startup: 'java -jar {{SERVER_JARFILE}}',
    docker_images: { a: 'yolks:java_8', b: 'yolks:java_17' },
  });
  t.match(file, {
    java: { needed: 17 },
    launch: { type: 'system', program: ['java'] },
    gamePort: { first: 25_565, transport: 'tcp' },
  });
});

t.test('Windows programs are refused by the name of what would run them', async (t) => {
  const refusals: [object, string][] = [
    [{ startup: 'proton run ./server.exe' }, 'Proton'],
    [{ docker_images: { x: 'ghcr.io/parkervcp/steamcmd:proton' } }, 'Proton'],
    [{ docker_images: { x: 'ghcr.io/parkervcp/yolks:wine_latest' } }, 'Wine'],
    [{ startup: 'xvfb-run wine64 server.exe' }, 'Wine'],
    [{ startup: 'mono ./server.exe', docker_images: { x: 'ghcr.io/parkervcp/yolks:wine_latest' } }, 'Wine'],
    [{ startup: './server.exe' }, 'Wine'],
    [{ variables: [{ env_variable: 'WINDOWS_INSTALL', default_value: '1' }] }, 'Wine'],
  ];
  for (const [change, program] of refusals)
    t.throws(() => imported({ ...someEgg(1), ...change }), { code: 'invalid_request', message: `needs ${program},` });
  t.doesNotThrow(() => imported({ ...someEgg(1), startup: 'mono ./server.exe' }), 'Mono is no Windows');
});

t.test('a template of PufferPanel becomes a kind', async (t) => {
  const { file, scripts, notes } = imported({
    type: 'factory',
    display: 'Factory',
    install: [{ type: 'command', commands: ['curl -L https://example.org | sh'] }],
    run: {
      command: './factory/bin --port ${port} --save ${save-file} --memory ${memory}',
      stop: '/quit',
      environmentVars: { X: '${save-file}' },
    },
    data: {
      port: { value: '34197', type: 'integer', required: true },
      memory: { value: '1024', type: 'integer' },
      'save-file': { value: 'saves/a.zip', required: true, display: 'Save', desc: 'Which one' },
      mode: { value: 'b', type: 'option', options: [{ value: 'a' }, { value: 'b' }] },
      'rcon-port': { value: 27_020, type: 'integer', internal: true },
      cheats: { value: false, type: 'boolean' },
    },
  });
  t.match(file, {
    kind: 'factory',
    launch: {
      ...{ type: 'installed', program: { linux: 'factory/bin' } },
      args: ['--port', '{port}', '--save', '{save_file}', '--memory', '{memoryMb}'],
      env: { X: '{save_file}' },
    },
    gamePort: { first: 34_197 },
    ports: [{ name: 'rcon', transport: 'tcp', first: 27_020 }],
    variables: [
      { name: 'save_file', title: 'Save', rule: { required: true } },
      { name: 'mode', type: 'choice' },
      { name: 'cheats', type: 'boolean' },
    ],
    stop: { command: '/quit' },
  });
  t.match(scripts, [{ text: /example\.org \| sh/ }]);
  t.match(notes.join('\n'), /installation is not run/);
});

t.test('272 eggs of the three formats, in JSON and YAML, are imported', async (t) => {
  for (let number = 0; number < 272; number++) {
    const egg = someEgg(number);
    const text = egg.meta && number % 3 === 2 ? stringify(egg) : JSON.stringify(egg);
    t.doesNotThrow(() => importKind(text), `egg ${number}`);
  }
});

t.test('what is neither an egg nor a template is refused', async (t) => {
  const refusals: [string, RegExp][] = [
    ['{"kind": "mine"}', /neither an egg/],
    ['[1, 2', /neither JSON nor YAML/],
    ['meta: {version: PTDL_v2}', /^This egg cannot be read: /],
    [
      `a: &a [x, x]\n${Array.from({ length: 300 }, (_, at) => `k${at}: *a`).join('\n')}`,
      /too many aliases|neither an egg/,
    ],
    ['x'.repeat(1024 * 1024 + 1), /larger than 1 MiB/],
  ];
  for (const [text, message] of refusals) t.throws(() => importKind(text), { code: 'invalid_request', message });
});
