import { Group, NumberInput, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useWords } from '../../../text/section.ts';
import type { SettingsValues } from './settings-change.ts';
import { settingsText } from './settings-text.ts';

const RESTARTS = ['on-failure', 'always', 'never'] as const;

interface CrashFieldsProps {
  form: UseFormReturnType<SettingsValues>;
  stored: SettingsValues;
}

export function CrashFields({ form, stored: { maxRestarts, windowMinutes } }: CrashFieldsProps) {
  const t = useWords(settingsText);
  const whole = { allowDecimal: false, hideControls: true };
  return (
    <Group align="flex-end">
      <Select
        label={t('crash')}
        data={RESTARTS.map((value) => ({ value, label: t(value) }))}
        allowDeselect={false}
        flex="2 1 200px"
        {...form.getInputProps('restart')}
        // The fields that this hides return to their stored values.
        onChange={(restart) =>
          form.setValues({
            restart: restart as SettingsValues['restart'],
            ...(restart === 'never' && { maxRestarts, windowMinutes }),
          })
        }
      />
      {form.values.restart !== 'never' && (
        <>
          <NumberInput
            label={t('maxRestarts')}
            suffix={t('maxRestartsSuffix')}
            min={0}
            max={100}
            flex="1 1 120px"
            {...whole}
            {...form.getInputProps('maxRestarts')}
          />
          <NumberInput
            label={t('window')}
            suffix={t('windowSuffix')}
            min={1}
            flex="1 1 120px"
            {...whole}
            {...form.getInputProps('windowMinutes')}
          />
        </>
      )}
    </Group>
  );
}
