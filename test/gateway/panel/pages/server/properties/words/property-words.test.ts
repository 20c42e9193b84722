import t from 'tap';
import { choiceLabel } from '../../../../../../../gateway/panel/src/pages/server/properties/words/choice-words.ts';
import { PROPERTY_WORDS } from '../../../../../../../gateway/panel/src/pages/server/properties/words/property-words.ts';
import { LANGUAGES } from '../../../../../../../gateway/panel/src/text/languages.ts';
import { knownProperties, knownProperty } from '../../../../../../../shared/domain/properties/known-properties.ts';

const EDITIONS = ['java', 'bedrock'] as const;

t.test('every known property has a description, and no other', async (t) => {
  const known = new Set(EDITIONS.flatMap((edition) => knownProperties(edition).map(({ key }) => key)));
  t.same(new Set(Object.keys(PROPERTY_WORDS)), known);
});

t.test('every property has a label and a different description in each language', async (t) => {
  for (const [property, words] of Object.entries(PROPERTY_WORDS))
    for (const language of LANGUAGES) {
      const [label, description] = words[language];
      t.ok(label.trim() && description.trim() && label !== description, `${property} in ${language}`);
    }
});

t.test('the values of game mode and difficulty have names in each language', async (t) => {
  for (const property of ['gamemode', 'difficulty'])
    for (const value of EDITIONS.flatMap((edition) => knownProperty(edition, property)?.choices ?? []))
      for (const language of LANGUAGES) t.not(choiceLabel(property, value, language), value);
  t.equal(choiceLabel('region-file-compression', 'lz4', 'de'), 'lz4', 'other values show as they are');
});
