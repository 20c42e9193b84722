import t from 'tap';
import { SOFTWARE } from '../../../../shared/domain/software/catalogue.ts';
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
