import t from 'tap';
import { SOFTWARE } from '../../../../shared/domain/software/catalogue.ts';
import { extendDefinition } from '../../../../shared/domain/software/extend-definition.ts';
import { parseSoftware } from '../../../../shared/schema/software.ts';

t.test('a file contains only the differences to the kind that it extends', async (t) => {
  const mine = extendDefinition(
    { kind: 'mine', extends: 'paper', title: 'Mine', install: null, defaultVersion: '1' },
    SOFTWARE,
  );
  t.match(parseSoftware(mine), { kind: 'mine', title: 'Mine', stopCommand: 'stop', java: { needed: 'minecraft' } });
  t.notOk(parseSoftware(mine).install, 'null removes the value');
  t.equal(extendDefinition({ kind: 'mine', extends: 'nothing' }, SOFTWARE), undefined);
});

t.test('of the live properties, a file names those that differ', async (t) => {
  const seed = { commands: ['seed {value}'], donePattern: 'Done' };
  const mine = (liveProperties: Record<string, typeof seed> | null) =>
    extendDefinition({ kind: 'mine', extends: 'vanilla', liveProperties }, SOFTWARE);
  const { liveProperties } = SOFTWARE[0]!;
  t.strictSame(mine({ difficulty: seed }), {
    ...SOFTWARE[0],
    kind: 'mine',
    liveProperties: { ...liveProperties, difficulty: seed },
  });
  t.notHas(mine(null), { liveProperties: Object });
});
