import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import type { TabProps } from '../tab-props.ts';
import { effectKey } from './effects.ts';
import { ListEntry } from './ListEntry.tsx';
import { PropertyField } from './PropertyField.tsx';
import { propertiesText } from './properties-text.ts';
import { usePortWarnings } from './use-port-warnings.ts';
import type { PropertyEdits } from './use-property-edits.ts';
import { PROPERTY_WORDS } from './words/property-words.ts';
import { GROUPS } from './words/words-by-property.ts';

const ORDER = Object.keys(PROPERTY_WORDS);

export interface PropertiesFormProps extends Pick<TabProps, 'instance' | 'session' | 'software'> {
  form: PropertyEdits;
  /** Known properties by key. */
  known: Readonly<Record<string, Schemas['Property']>>;
  search: string;
  disabled: boolean;
}

/** All known properties and all others in the file, in groups. Properties without a description come last. */
export function PropertiesForm(props: PropertiesFormProps) {
  const { instance, session, software, form, known, search, disabled } = props;
  const t = useWords(propertiesText);
  const { language } = useLanguage();
  const wanted = search.trim().toLocaleLowerCase();
  const isWanted = (property: string) =>
    [property, ...(PROPERTY_WORDS[property]?.[language] ?? [known[property]?.description ?? ''])].some((words) =>
      words.toLocaleLowerCase().includes(wanted),
    );
  const isManaged = form.present['management-server-enabled'] === 'true';
  const warningOf = usePortWarnings({ instance, software, values: form.values });
  const shown = Object.keys(form.values).filter(isWanted);
  if (shown.length === 0) return <Text c="dimmed">{t('nothing')}</Text>;
  return (
    <Stack>
      {GROUPS.map((group) => {
        const inGroup = shown
          .filter((property) => (PROPERTY_WORDS[property]?.group ?? 'other') === group)
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
                  known={known[property]}
                  value={form.values[property] ?? ''}
                  present={form.present[property] ?? ''}
                  changed={property in form.edits}
                  disabled={disabled}
                  effect={effectKey(known[property], { isManaged })}
                  warning={warningOf(property)}
                  preview={(motd) => <ListEntry instance={instance} session={session} motd={motd} />}
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
