import { Button, Checkbox, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { configurationQuery, useUpdateInstance } from '../../../api/instances.ts';
import { useSoftware } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { inputErrors } from '../../../ui/form/field-errors.ts';
import { useFieldWords } from '../../../ui/form/field-words.ts';
import { toCommand } from '../../../ui/form/program/command-text.ts';
import { toEnvironment } from '../../../ui/form/program/environment-text.ts';
import { ProgramFields } from '../../../ui/form/program/ProgramFields.tsx';
import { programText } from '../../../ui/form/program/program-text.ts';
import { useUnsavedGuard } from '../../../ui/form/unsaved.ts';
import { useLatestForm } from '../../../ui/form/use-latest-form.ts';
import { VERBATIM } from '../../../ui/form/verbatim.ts';
import { CrashFields } from './CrashFields.tsx';
import { GameFields } from './GameFields.tsx';
import { type Configuration, emptied, type SettingsValues, toChange, toValues } from './settings-change.ts';
import { settingsText } from './settings-text.ts';
import { useClashes } from './use-clashes.ts';

/** Fields that the daemon may reject, by the name of their input. */
const CHECKED = {
  name: 'name',
  version: 'version',
  port: 'port',
  memoryMb: 'memoryGb',
  maxPlayers: 'maxPlayers',
  stopTimeoutSeconds: 'stopTimeoutSeconds',
  sleepWhenEmptyMinutes: 'sleepWhenEmptyMinutes',
  hangSeconds: 'hangSeconds',
  'crashPolicy.maxRestarts': 'maxRestarts',
  'crashPolicy.windowSeconds': { input: 'windowMinutes', factor: 60 },
  launch: 'command',
  stopCommand: 'stopCommand',
  transport: 'udp',
  env: 'env',
  readyPattern: 'readyPattern',
  readyAfterSeconds: 'readySeconds',
  runAs: 'runAs',
} as const;

export function SettingsForm({ instance, configuration }: { instance: Instance; configuration: Configuration }) {
  const t = useWords(settingsText);
  const p = useWords(programText);
  const fieldWords = useFieldWords();
  const queries = useQueryClient();
  const update = useUpdateInstance(instance.id);
  const software = useSoftware().data?.find(({ kind }) => kind === instance.software);
  /** An error that is about none of the fields. */
  const [formError, setFormError] = useState<unknown>();
  const latest = toValues(configuration, software);
  const { form, stored, markStored, reset } = useLatestForm(latest, {
    validate: (values) => ({
      ...Object.fromEntries(emptied(values, latest).map((key) => [key, t('empty')])),
      ...(toCommand(values.command) === undefined && { command: p('quote') }),
      // A value of several lines cannot be edited here, and stays.
      ...(values.env !== latest.env && toEnvironment(values.env) === undefined && { env: p('envLine') }),
    }),
  });
  useUnsavedGuard(form.isDirty());
  const clashes = useClashes({ ...form.values, id: instance.id, software: instance.software });

  const submit = async (values: SettingsValues) => {
    setFormError(undefined);
    try {
      await update.mutateAsync(toChange(values, stored()));
      markStored(values);
      await queries.invalidateQueries({ queryKey: configurationQuery(instance.id).queryKey });
      notifyDone(t('saved'));
    } catch (error) {
      const errors = inputErrors(error, CHECKED, fieldWords);
      form.setErrors(errors);
      if (Object.keys(errors).length === 0) setFormError(error);
    }
  };

  return (
    <FormSection title={t('general')}>
      <form
        noValidate
        onSubmit={form.onSubmit(
          (values) => void submit(values),
          (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
        )}
      >
        <Stack>
          <TextInput
            label={t('name')}
            description={clashes.name}
            required
            maxLength={64}
            {...form.getInputProps('name')}
          />
          <GameFields form={form} software={instance.software} portWarning={clashes.port} />
          {software?.command && (
            <ProgramFields
              input={form.getInputProps}
              ready={form.values.ready}
              withCommand={configuration.launch !== undefined}
            />
          )}
          <TimeoutFields form={form} />
          <CrashFields form={form} stored={latest} />
          {configuration.runAs !== undefined && (
            <TextInput
              label={t('runAs')}
              description={t('runAsHint')}
              placeholder="survival"
              maxLength={32}
              {...VERBATIM}
              {...form.getInputProps('runAs')}
            />
          )}
          <Checkbox label={t('autoStart')} {...form.getInputProps('autoStart', { type: 'checkbox' })} />
          <Checkbox label={t('autoResume')} {...form.getInputProps('autoResume', { type: 'checkbox' })} />
          {software?.eula && <Checkbox label={t('eula')} {...form.getInputProps('acceptEula', { type: 'checkbox' })} />}
          {formError !== undefined && <ProblemAlert error={formError} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={!form.isDirty()} onClick={reset}>
              {t('discard')}
            </Button>
            <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormSection>
  );
}

function TimeoutFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const t = useWords(settingsText);
  const seconds = { suffix: ' s', allowDecimal: false, hideControls: true };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberInput
        label={t('stopTimeout')}
        description={t('stopTimeoutHint')}
        min={1}
        max={3_600}
        {...seconds}
        {...form.getInputProps('stopTimeoutSeconds')}
      />
      <NumberInput
        label={t('hang')}
        description={t('hangHint')}
        min={0}
        max={86_400}
        {...seconds}
        {...form.getInputProps('hangSeconds')}
      />
    </SimpleGrid>
  );
}
