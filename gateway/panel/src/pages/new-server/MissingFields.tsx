import { Checkbox, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useSoftware } from '../../api/software.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import type { ImportValues } from './import-values.ts';
import { newServerText } from './new-server-text.ts';

export function MissingFields({
  found,
  form,
}: {
  found: Schemas['Recognition'];
  form: UseFormReturnType<ImportValues>;
}) {
  const t = useWords(newServerText);
  const software = useSoftware().data ?? [];
  const lacks = (field: string) => found.missing.some((each) => each.field === field);
  const chosen = software.find(({ kind }) => kind === form.values.software);
  return (
    <>
      {lacks('software') && (
        <Select
          label={t('software')}
          description={t('missingHint')}
          required
          data={software.map(({ kind, title }) => ({ value: kind, label: title }))}
          {...form.getInputProps('software')}
        />
      )}
      {lacks('version') && (
        <TextInput label={t('version')} description={t('missingHint')} required {...form.getInputProps('version')} />
      )}
      {chosen?.eula && found.acceptEula?.value !== true && (
        <Checkbox
          label={t('eula')}
          description={t('eulaNeeded')}
          {...form.getInputProps('acceptEula', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
