import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { SOFTWARE } from '../../../../shared/domain/software/catalogue.ts';
import { checkSoftware, parseSoftware, softwareFileSchema } from '../../../../shared/schema/software.ts';

t.test('every built-in software file is valid', async (t) => {
  for (const definition of SOFTWARE) t.same(parseSoftware(definition), definition, definition.kind);
  const kinds = ['vanilla', 'paper', 'folia', 'purpur', 'fabric', 'quilt', 'forge', 'neoforge', 'velocity', 'bedrock'];
  const others = ['luanti', 'openttd', 'openarena', 'teeworlds', 'freeciv'];
  t.same(
    SOFTWARE.map(({ kind }) => kind),
    [...kinds, ...others, 'custom', 'demo'],
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

t.test('the published schema of the files is the present one', async (t) => {
  const file = path.resolve(import.meta.dirname, '../../../../docs/software-kind.schema.json');
  const schema = softwareFileSchema();
  if (process.env.TAP_SNAPSHOT === '1') writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  t.same(JSON.parse(readFileSync(file, 'utf8')), schema, 'TAP_SNAPSHOT=1 writes it');
});
