import {
  Anchor,
  Button,
  Checkbox,
  Group,
  type InputWrapperProps,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCreateInstance, useLifecycle } from '../../api/instances.ts';
import { useSoftware } from '../../api/software.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { notifyProblem } from '../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { fieldErrors } from '../../ui/form/field-errors.ts';
import { VersionInput } from '../../ui/form/VersionInput.tsx';
import { useClashes } from '../server/settings/use-clashes.ts';
import { CustomSoftware } from './CustomSoftware.tsx';
import { type CreateValues, DEFAULTS, toCreateRequest } from './create-values.ts';
import { newServerText } from './new-server-text.ts';
import { SoftwareChoice } from './SoftwareChoice.tsx';

const EULA = 'https://aka.ms/MinecraftEULA';

export function CreateServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  const software = useSoftware().data;
  const create = useCreateInstance();
  const lifecycle = useLifecycle();
  /** An error that is about none of the fields. */
  const [formError, setFormError] = useState<unknown>();
  const form = useForm<CreateValues>({ initialValues: DEFAULTS });
  const chosen = software?.find(({ kind }) => kind === form.values.software);
  const needsEula = chosen?.eula === true;
  const canStart = !needsEula || form.values.acceptEula;

  const submit = async (values: CreateValues) => {
    setFormError(undefined);
    try {
      const { id } = await create.mutateAsync(toCreateRequest(values));
      if (values.startNow && canStart) await lifecycle.mutateAsync({ id, action: 'start' }).catch(notifyProblem);
      navigate(`/servers/${id}/console`);
    } catch (error) {
      const { memoryMb, ...others } = fieldErrors(error, ['name', 'version', 'port', 'memoryMb']);
      const errors = { ...others, ...(memoryMb !== undefined && { memoryGb: memoryMb }) };
      form.setErrors(errors);
      if (Object.keys(errors).length === 0) setFormError(error);
    }
  };

  return (
    <Paper p="lg">
      <form onSubmit={form.onSubmit((values) => void submit(values))}>
        <Stack>
          <SoftwareChoice value={form.values.software} onChange={(kind) => form.setFieldValue('software', kind)} />
          {chosen?.kind === 'custom' ? (
            <CustomSoftware />
          ) : (
            <>
              <Fields form={form} chosen={chosen} />
              {needsEula && <EulaCheckbox {...form.getInputProps('acceptEula', { type: 'checkbox' })} />}
              <Checkbox
                label={t('startNow')}
                disabled={!canStart}
                {...form.getInputProps('startNow', { type: 'checkbox' })}
              />
              {formError !== undefined && <ProblemAlert error={formError} />}
              <Group justify="flex-end">
                <Button type="submit" loading={create.isPending} disabled={form.values.software === ''}>
                  {t('create')}
                </Button>
              </Group>
            </>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

interface FieldsProps {
  form: UseFormReturnType<CreateValues>;
  chosen: Schemas['Software'] | undefined;
}

/** Descriptions of fields beside each other go below, so that the inputs line up. */
const BELOW: Pick<InputWrapperProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};

function Fields({ form, chosen }: FieldsProps) {
  const t = useWords(newServerText);
  const clashes = useClashes(form.values);
  return (
    <>
      <TextInput
        label={t('name')}
        description={clashes.name ?? t('nameHint')}
        required
        maxLength={64}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <VersionInput
          software={form.values.software}
          label={t('version')}
          {...BELOW}
          placeholder={chosen?.defaultVersion ?? t('newest')}
          {...form.getInputProps('version')}
        />
        <NumberInput
          label={t('memory')}
          description={t('memoryHint')}
          {...BELOW}
          suffix=" GB"
          min={0.5}
          max={1_024}
          step={0.5}
          required
          {...form.getInputProps('memoryGb')}
        />
        <NumberInput
          label={t('port')}
          description={clashes.port ?? t('portHint')}
          {...BELOW}
          min={1}
          max={65_535}
          hideControls
          allowDecimal={false}
          {...form.getInputProps('port')}
        />
      </SimpleGrid>
    </>
  );
}

function EulaCheckbox(input: ReturnType<UseFormReturnType<CreateValues>['getInputProps']>) {
  const t = useWords(newServerText);
  return (
    <Checkbox
      label={
        <>
          {t('eula')}{' '}
          <Anchor href={EULA} target="_blank" rel="noreferrer noopener" size="sm">
            {t('eulaLink')}
          </Anchor>
        </>
      }
      description={t('eulaNeeded')}
      {...input}
    />
  );
}
