import t from 'tap';
import { GAMERULE_WORDS } from '../../../../gateway/panel/src/text/gamerule-words.ts';
import { LANGUAGES } from '../../../../gateway/panel/src/text/languages.ts';
import { GAMERULES } from '../../../../shared/domain/properties/known-gamerules.ts';

t.test('every known game rule has a label and a different description in each language, and no other', async (t) => {
  t.same(
    Object.keys(GAMERULE_WORDS),
    GAMERULES.map(({ name }) => name),
  );
  for (const { name, description: inEnglish } of GAMERULES)
    for (const language of LANGUAGES) {
      const [label = '', description = language === 'en' ? inEnglish : ''] = GAMERULE_WORDS[name]?.[language] ?? [];
      t.ok(label.trim() && description.trim() && label !== description, `${name} in ${language}`);
    }
});
