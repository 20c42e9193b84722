import { Button, Checkbox, Group, NumberInput, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { configurationQuery, useUpdateInstance } from '../../../api/instances.ts';
import { useSoftware } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { fieldErrors } from '../../../ui/form/field-errors.ts';
import { useLatestForm } from '../../../ui/form/use-latest-form.ts';
import { useUnsavedGuard } from '../../../ui/form/use-unsaved-guard.ts';
import { VersionInput } from '../../../ui/form/VersionInput.tsx';
import { type Configuration, emptied, type SettingsValues, toChange, toValues } from './settings-change.ts';
import { settingsText } from './settings-text.ts';

const JAVA_VERSIONS = ['8', '11', '17', '21', '25'];
const RESTARTS = ['on-failure', 'always', 'never'] as const;

export function SettingsForm({ instance, configuration }: { instance: Instance; configuration: Configuration }) {
  const t = useWords(settingsText);
  const queries = useQueryClient();
  const update = useUpdateInstance(instance.id);
  const software = useSoftware().data?.find(({ kind }) => kind === instance.software);
  const [unplaced, setUnplaced] = useState<unknown>();
  const stored = toValues(configuration);
  const { form, markStored, reset } = useLatestForm(stored, {
    validate: (values) => Object.fromEntries(emptied(values, stored).map((key) => [key, t('empty')])),
  });
  useUnsavedGuard(form.isDirty());

  const submit = async (values: SettingsValues) => {
    setUnplaced(undefined);
    try {
      await update.mutateAsync(toChange(values, stored));
      markStored(values);
      await queries.invalidateQueries({ queryKey: configurationQuery(instance.id).queryKey });
      notifyDone(t('saved'));
    } catch (error) {
      const { memoryMb, ...placed } = fieldErrors(error, [
        'name',
        'version',
        'port',
        'memoryMb',
        'maxPlayers',
        'hangSeconds',
      ]);
      const errors = { ...placed, ...(memoryMb !== undefined && { memoryGb: memoryMb }) };
      form.setErrors(errors);
      if (Object.keys(errors).length === 0) setUnplaced(error);
    }
  };
  const whole = { allowDecimal: false, hideControls: true } as const;

  return (
    <Paper p="lg">
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) => void submit(values),
          (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
        )}
      >
        <Stack>
          <TextInput label={t('name')} required maxLength={64} {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <VersionInput
              software={instance.software}
              label={t('version')}
              description={t('versionHint')}
              {...form.getInputProps('version')}
            />
            <Select
              label={t('java')}
              data={[{ value: '', label: t('javaAuto') }, ...JAVA_VERSIONS]}
              allowDeselect={false}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
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
            <NumberInput label={t('port')} min={1} max={65_535} {...whole} {...form.getInputProps('port')} />
            <NumberInput label={t('maxPlayers')} min={1} {...whole} {...form.getInputProps('maxPlayers')} />
            <NumberInput
              label={t('sleep')}
              description={t('sleepHint')}
              min={1}
              {...whole}
              {...form.getInputProps('sleepWhenEmptyMinutes')}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={t('stopTimeout')}
              description={t('stopTimeoutHint')}
              suffix=" s"
              min={1}
              max={3_600}
              {...whole}
              {...form.getInputProps('stopTimeoutSeconds')}
            />
            <NumberInput
              label={t('hang')}
              description={t('hangHint')}
              suffix=" s"
              min={0}
              max={86_400}
              {...whole}
              {...form.getInputProps('hangSeconds')}
            />
          </SimpleGrid>
          <Group align="flex-end">
            <Select
              label={t('crash')}
              data={RESTARTS.map((value) => ({ value, label: t(value) }))}
              allowDeselect={false}
              w={300}
              maw="100%"
              {...form.getInputProps('restart')}
              // What is no longer shown stays as it is.
              onChange={(restart) =>
                form.setValues({
                  restart: restart as SettingsValues['restart'],
                  ...(restart === 'never' && { maxRestarts: stored.maxRestarts, windowMinutes: stored.windowMinutes }),
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
                  w={140}
                  {...whole}
                  {...form.getInputProps('maxRestarts')}
                />
                <NumberInput
                  label={t('window')}
                  suffix={t('windowSuffix')}
                  min={1}
                  w={140}
                  {...whole}
                  {...form.getInputProps('windowMinutes')}
                />
              </>
            )}
          </Group>
          <Checkbox label={t('autoStart')} {...form.getInputProps('autoStart', { type: 'checkbox' })} />
          <Checkbox label={t('autoResume')} {...form.getInputProps('autoResume', { type: 'checkbox' })} />
          {software?.eula && <Checkbox label={t('eula')} {...form.getInputProps('acceptEula', { type: 'checkbox' })} />}
          {unplaced !== undefined && <ProblemAlert error={unplaced} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={!form.isDirty()} onClick={reset}>
              {t('reset')}
            </Button>
            <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
