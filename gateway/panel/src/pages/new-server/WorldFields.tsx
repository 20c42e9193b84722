import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useLanguage } from '../../text/language.ts';
import { VERBATIM } from '../../ui/form/verbatim.ts';
import { choiceLabel } from '../server/properties/words/choice-words.ts';
import { everydayWords } from '../server/properties/words/everyday-words.ts';
import type { CreateValues } from './create-values.ts';

/** Those that both editions have. */
const CHOICES = {
  gamemode: ['survival', 'creative', 'adventure'],
  difficulty: ['peaceful', 'easy', 'normal', 'hard'],
} as const;

/** The world that the first start makes. Everything is set already, so nothing has to be. */
export function WorldFields({ form }: { form: UseFormReturnType<CreateValues> }) {
  const { language } = useLanguage();
  const fieldOf = (property: keyof CreateValues['world']) => {
    const [label, description] = everydayWords[property]?.[language] ?? [property];
    return { label, description, ...form.getInputProps(`world.${property}`) };
  };
  const choose = (property: keyof typeof CHOICES) => (
    <Select
      {...fieldOf(property)}
      data={CHOICES[property].map((value) => ({ value, label: choiceLabel(property, value, language) }))}
      allowDeselect={false}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {choose('gamemode')}
      {choose('difficulty')}
      <TextInput maxLength={100} {...VERBATIM} {...fieldOf('level-seed')} />
    </SimpleGrid>
  );
}
