import t from 'tap';
import { SOFTWARE } from '../../../../shared/domain/software/catalogue.ts';
import { extendDefinition } from '../../../../shared/domain/software/extend-definition.ts';
import { isBelow, isRelease } from '../../../../shared/domain/software/minecraft-version.ts';
import { parseSoftware } from '../../../../shared/schema/software.ts';

t.test('every built-in software file is valid', async (t) => {
  for (const definition of SOFTWARE) t.same(parseSoftware(definition), definition, definition.kind);
  const kinds = ['vanilla', 'paper', 'folia', 'purpur', 'fabric', 'quilt', 'forge', 'neoforge', 'velocity', 'bedrock'];
  t.same(
    SOFTWARE.map(({ kind }) => kind),
    [...kinds, 'custom', 'demo'],
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
  ];
  for (const [change, message] of mistakes) t.throws(() => parseSoftware({ ...vanilla, ...change }), message);
});

t.test('a file contains only the differences to the kind that it extends', async (t) => {
  const mine = extendDefinition(
    { kind: 'mine', extends: 'paper', title: 'Mine', install: null, defaultVersion: '1' },
    SOFTWARE,
  );
  t.match(parseSoftware(mine), { kind: 'mine', title: 'Mine', stopCommand: 'stop', java: { needed: 'minecraft' } });
  t.notOk(parseSoftware(mine).install, 'null removes the value');
  t.equal(extendDefinition({ kind: 'mine', extends: 'nothing' }, SOFTWARE), undefined);
});

t.test('versions of Minecraft have an order, snapshots do not', async (t) => {
  for (const [version, limit] of [
    ['1.9', '1.13'],
    ['1.12.2', '1.13'],
    ['1.21.11', '26.1'],
    ['b1.7.3', '1.5.2'],
    ['1.16.5-rc1', '1.17'],
  ] as const)
    t.ok(isBelow(version, limit), version);
  for (const version of ['1.13', '1.13.2', '24w14a', 'latest', '26.1']) t.notOk(isBelow(version, '1.13'), version);
  t.same(['1.21.8', '26.1', '1.21.9-rc1', '25w14a'].map(isRelease), [true, true, false, false]);
});
