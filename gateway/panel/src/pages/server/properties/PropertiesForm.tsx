import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { GROUPS, KNOWN_PROPERTIES } from './known-properties.ts';
import { PropertyField } from './PropertyField.tsx';
import { propertiesText } from './properties-text.ts';
import type { PropertyEdits } from './use-property-edits.ts';

const ORDER = Object.keys(KNOWN_PROPERTIES);

/** The properties that the file has, in groups; those without words of their own come last. */
export function PropertiesForm({ form, search, disabled }: { form: PropertyEdits; search: string; disabled: boolean }) {
  const t = useWords(propertiesText);
  const { language } = useLanguage();
  const wanted = search.trim().toLocaleLowerCase();
  const isWanted = (property: string) =>
    [property, ...(KNOWN_PROPERTIES[property]?.words[language] ?? [])].some((words) =>
      words.toLocaleLowerCase().includes(wanted),
    );
  const shown = Object.keys(form.values).filter(isWanted);
  if (shown.length === 0) return <Text c="dimmed">{t('nothing')}</Text>;
  return (
    <Stack>
      {GROUPS.map((group) => {
        const inGroup = shown
          .filter((property) => (KNOWN_PROPERTIES[property]?.group ?? 'other') === group)
          .sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other) || one.localeCompare(other));
        if (inGroup.length === 0) return null;
        return (
          <Paper key={group} p="lg" component="section" aria-label={t(group)}>
            <Title order={2} mb="md">
              {t(group)}
            </Title>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              {inGroup.map((property) => (
                <PropertyField
                  key={property}
                  property={property}
                  value={form.values[property] ?? ''}
                  changed={property in form.edits}
                  disabled={disabled}
                  onChange={(value) => form.set(property, value)}
                />
              ))}
            </SimpleGrid>
          </Paper>
        );
      })}
    </Stack>
  );
}
