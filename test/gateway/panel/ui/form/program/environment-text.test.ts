import t from 'tap';
import {
  toEnvironment,
  toEnvironmentText,
} from '../../../../../../gateway/panel/src/ui/form/program/environment-text.ts';

t.test('variables are written one for each line', (t) => {
  const variables = { MAP: 'dust', _X1: 'a=b  c ', EMPTY: '' };
  t.equal(toEnvironmentText(variables), 'MAP=dust\n_X1=a=b  c \nEMPTY=');
  t.same(toEnvironment(toEnvironmentText(variables)), variables);
  t.same(toEnvironment('\n  MAP=dust\n\n'), { MAP: 'dust' });
  t.same(toEnvironment(''), {});
  for (const wrong of ['MAP', 'MAP dust', '1=x', 'A-B=x', '=x']) t.equal(toEnvironment(wrong), undefined, wrong);
  t.end();
});
