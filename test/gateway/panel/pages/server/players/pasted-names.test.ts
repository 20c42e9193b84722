import t from 'tap';
import { pastedNames } from '../../../../../../gateway/panel/src/pages/server/players/pasted-names.ts';

t.test('finds each name once, and what is none', async (t) => {
  t.same(pastedNames('', 'java'), { names: [], wrong: [] });
  t.same(pastedNames('Anna\r\n Ben,,Carl; anna\n\n@a\nTwo Words, .Dora', 'java'), {
    names: ['anna', 'Ben', 'Carl', '.Dora'],
    wrong: ['@a', 'Two Words'],
  });
  t.same(pastedNames(`Two Words\n${'x'.repeat(17)}`, 'bedrock'), { names: ['Two Words'], wrong: ['x'.repeat(17)] });
});
