import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useWords } from '../../../text/section.ts';
import { VersionInput } from '../../../ui/form/VersionInput.tsx';
import type { SettingsValues } from './settings-change.ts';
import { settingsText } from './settings-text.ts';

const JAVA_VERSIONS = ['8', '11', '17', '21', '25'];

interface GameFieldsProps {
  form: UseFormReturnType<SettingsValues>;
  software: string;
  portWarning: string | undefined;
}

export function GameFields({ form, software, portWarning }: GameFieldsProps) {
  const t = useWords(settingsText);
  const whole = { allowDecimal: false, hideControls: true };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <VersionInput
        software={software}
        label={t('version')}
        description={t('versionHint')}
        {...form.getInputProps('version')}
      />
      <Select
        label={t('java')}
        data={[{ value: '', label: t('javaAuto') }, ...JAVA_VERSIONS]}
        allowDeselect={false}
        {...form.getInputProps('javaVersion')}
      />
      <NumberInput
        label={t('memory')}
        suffix=" GB"
        min={0.125}
        step={0.5}
        decimalScale={3}
        {...form.getInputProps('memoryGb')}
      />
      <NumberInput
        label={t('port')}
        description={portWarning}
        min={1}
        max={65_535}
        {...whole}
        {...form.getInputProps('port')}
      />
      <NumberInput label={t('maxPlayers')} min={1} {...whole} {...form.getInputProps('maxPlayers')} />
      <NumberInput
        label={t('sleep')}
        description={t('sleepHint')}
        min={1}
        {...whole}
        {...form.getInputProps('sleepWhenEmptyMinutes')}
      />
    </SimpleGrid>
  );
}
