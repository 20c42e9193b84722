import t from 'tap';
import { PROBLEMS, problemText } from '../../../../../gateway/panel/src/ui/feedback/problems/problems.ts';
import { ERRORS } from '../../../../../shared/errors/catalogue.ts';

for (const [language, texts] of Object.entries(PROBLEMS))
  t.test(`every error code has its own texts in "${language}"`, async (t) => {
    t.same(Object.keys(texts).sort(), Object.keys(ERRORS).sort());
    for (const [code, { title, about, resolution }] of Object.entries(texts)) {
      t.ok(title && about && resolution, code);
      t.notMatch(title + about + resolution, /\b(?:GET|POST|PUT|DELETE)\b/, `${code}: for people, not for programs`);
    }
    const abouts = Object.values(texts).map(({ about }) => about);
    t.equal(new Set(abouts).size, abouts.length, 'no two codes have the same text');
  });

t.test('English texts come from the daemon, as do those of unknown codes', async (t) => {
  t.equal(problemText('port_in_use', 'en'), undefined);
  t.equal(problemText('invented_later', 'de'), undefined);
  t.equal(problemText('toString', 'zh'), undefined);
  t.equal(problemText('port_in_use', 'de')?.title, 'Port belegt');
});
