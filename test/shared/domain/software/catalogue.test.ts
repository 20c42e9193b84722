import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { SOFTWARE } from '../../../../shared/domain/software/catalogue.ts';
import { checkSoftware, parseSoftware, softwareFileSchema } from '../../../../shared/schema/software.ts';

t.test('every built-in software file is valid', async (t) => {
  for (const definition of SOFTWARE) t.same(parseSoftware(definition), definition, definition.kind);
  const kinds = ['vanilla', 'paper', 'folia', 'purpur', 'fabric', 'quilt', 'forge', 'neoforge', 'velocity', 'bedrock'];
  const others = ['luanti', 'openttd', 'openarena', 'teeworlds', 'freeciv'];
  const installed = ['factorio', 'terraria', 'valheim', 'palworld', 'rust', 'cs2', 'satisfactory', 'zomboid', 'ark'];
  t.same(
    SOFTWARE.map(({ kind }) => kind),
    [...kinds, ...others, ...installed, 'custom', 'demo'],
  );
});

t.test('a mistake in a file is reported', async (t) => {
  const [vanilla] = SOFTWARE;
  const mistakes: [object, RegExp][] = [
    [{ readyPattern: '(' }, /regular expression/],
    [{ launch: { type: 'java', start: [{ jar: '../x.jar' }], args: [] } }, /in the folder of the server/],
    [{ stopCommand: 'stop\nop Eve' }, /one line/],
    [{ colour: 'red' }, /colour/],
    [{ install: { source: { type: 'ftp' }, as: { type: 'file', name: 'x.jar' } } }, /source/],
    [{ java: undefined }, /must be given for software that runs on Java/],
    [{ players: {} }, /must have ..query/],
    [{ liveProperties: { pvp: { commands: ['pvp'], donePattern: 'on' } } }, /\{value\}/],
    [{ liveProperties: { pvp: { commands: ['a {value}\nop Eve'], donePattern: 'on' } } }, /one line/],
    [{ players: { joined: '(?<name>.) came' } }, /together with ..joined/],
    [{ players: { joined: 'came', left: '(?<name>.) went' } }, /a group named ..name/],
  ];
  for (const [change, message] of mistakes) t.throws(() => parseSoftware({ ...vanilla, ...change }), message);
});

t.test('a mistake in the variables, the ports or the way to stop is reported', async (t) => {
  const [vanilla] = SOFTWARE;
  const variable = { name: 'map', type: 'text', default: 'dust', editableBy: 'operator' };
  const launch = (arg: string) => ({
    type: 'system',
    program: ['game'],
    args: [arg],
    env: {},
    missing: 'Install game.',
  });
  const mistakes: [object, RegExp][] = [
    [{ variables: [{ ...variable, name: 'port' }] }, /"port" is taken/],
    [{ variables: [variable, variable] }, /"map" is taken/],
    [{ variables: [{ ...variable, rule: { min: 1 } }] }, /is not for a variable of type text/],
    [{ variables: [{ ...variable, type: 'choice' }] }, /must be given for a choice/],
    [{ variables: [{ ...variable, type: 'number' }] }, /must be a number/],
    [{ variables: [variable], launch: launch('{mpa}') }, /\{mpa\} is neither a variable nor a port/],
    [{ launch: { ...launch('-c'), program: ['bash'], args: ['-c', 'run {directory}'] } }, /could be a command/],
    [{ launch: { ...launch('-c'), program: ['env'], args: ['bash', '-lc', 'run {name}'] } }, /could be a command/],
    [
      { install: { steps: [{ type: 'run', program: 'sh', args: ['-ec', 'echo {name}'] }] }, launch: launch('-x') },
      /could be a command/,
    ],
    [{ ports: [{ name: 'query', transport: 'udp' }] }, /must be given, or "offset"/],
    [{ ports: [], launch: launch('{port.query}') }, /\{port\.query\} is neither/],
    [{ stop: { command: 'quit', signal: 'INT' } }, /must not be given together/],
    [{ launch: { ...launch(''), program: ['../game'] } }, /must be the name of a program/],
  ];
  for (const [change, problem] of mistakes) t.match(checkSoftware({ ...vanilla, ...change }), { problem });
  t.match(checkSoftware({ ...vanilla, java: { needed: 'newest' } }), {
    problem: /^java\.needed: .*expected "minecraft"/,
  });
});

t.test('a placeholder in code is refused, whatever runs it', async (t) => {
  const [vanilla] = SOFTWARE;
  const kind = (line: string, type: 'system' | 'installed' = 'system') => {
    const [program = '', ...args] = line.split(' ');
    const launch =
      type === 'system'
        ? { type, program: [program], args, env: {}, missing: 'Install it.' }
        : { type, program: { linux: program }, args, env: {} };
    return checkSoftware({ ...vanilla, launch });
  };
  const problem = /could be a command/;
  for (const line of [
    'bash -Ec run{name}',
    'bash -euo pipefail -c run{name}',
    'bash +O extglob --norc -cx run{name}',
    'env -i X=1 /usr/bin/zsh -lc run{name}',
    'fish --command={name}',
    'su player -c run{name}',
    'script -qc run{name} /dev/null',
    'python3 -c print({name})',
    'python3.12 -W error -Ic{name}',
    'perl -I lib -Mstrict -ne {name}',
    'ruby -e {name}',
    'lua5.4 -l game -e {name}',
    'php -d a=b -r {name}',
    'node --require ./a.js -e {name}',
    'node --eval={name}',
    'deno eval {name}',
    'pwsh -ExecutionPolicy Bypass -Command ./game {name}',
    'cmd.exe /d /c game {name}',
  ])
    t.match(kind(line), { problem }, line);
  t.match(kind('bin/bash -c run{name}', 'installed'), { problem }, 'a shell in the folder');
  for (const line of [
    'bash -c run name {name}',
    'bash start.sh -c {directory}',
    'node server.js -p {port}',
    'node -r ./a.js server.js -e {name}',
    'python3 -m game -c {name}',
    'perl server.pl -e {name}',
    'php -S 127.0.0.1:{port} -r',
    'runuser -u player -- ./game -c {name}',
    'game -c {name}',
  ])
    t.match(kind(line), { software: {} }, line);
});

t.test('a mistake in the steps of an installation is reported', async (t) => {
  const [vanilla] = SOFTWARE;
  const download = { type: 'download', url: 'https://example.org/{version}', target: 'game.zip' };
  const run = { type: 'run', program: 'bin/setup', args: [] };
  const mistakes: [object, RegExp][] = [
    [{ ...download, url: 'https://{version}.example.org/' }, /no placeholders in its host/],
    [{ ...download, url: 'https://example.org@{version}/' }, /no placeholders in its host/],
    [{ ...download, url: 'file:///etc/passwd' }, /begins with https/],
    [{ ...download, url: 'https://example.org/{port}' }, /\{port\} is not known during the installation/],
    [{ ...download, sha256: 'ABC' }, /64 lower-case hex digits/],
    [{ ...download, target: '../game.zip' }, /plain path in the folder of the server/],
    [{ ...download, target: '/game.zip' }, /plain path/],
    [{ ...download, target: '.gamekeeper-files/x' }, /plain path/],
    [{ type: 'steam', appId: 0 }, /appId/],
    [{ type: 'steam', appId: 730, beta: '{branch}' }, /\{branch\} is not known/],
    [{ type: 'unpack', file: 'a.zip', from: '**' }, /must name each folder/],
    [{ type: 'move', from: 'a/../b', to: 'c' }, /plain path/],
    [{ ...run, program: '../setup' }, /must be the name of a program/],
    [{ ...run, program: '/bin/sh' }, /must be the name of a program/],
    [{ ...run, args: ['{rcon.password}'] }, /is not known during the installation/],
    [{ ...run, shell: true }, /shell/],
    [{ type: 'delete', file: 'a' }, /type/],
  ];
  for (const [step, problem] of mistakes)
    t.match(checkSoftware({ ...vanilla, install: { steps: [step] } }), { problem }, JSON.stringify(step));
  t.match(checkSoftware({ ...vanilla, install: { steps: [] } }), { problem: /steps/ });
  t.match(checkSoftware({ ...vanilla, defaultVersion: null, install: { steps: [download] } }), {
    problem: /^defaultVersion: must be given/,
  });
});

t.test('the published schema of the files is the present one', async (t) => {
  const file = path.resolve(import.meta.dirname, '../../../../docs/software-kind.schema.json');
  const schema = softwareFileSchema();
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  t.same(JSON.parse(readFileSync(file, 'utf8')), schema, 'TAP_SNAPSHOT=1 writes it');
});
