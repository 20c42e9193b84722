import { Button, Checkbox, Group, NumberInput, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useCreateInstance, useInstances, useLifecycle } from '../../api/instances.ts';
import { setFirstProperties } from '../../api/properties.ts';
import { useSession } from '../../api/session.ts';
import { useSoftware } from '../../api/software.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { inputErrors } from '../../ui/form/field-errors.ts';
import { useFieldWords } from '../../ui/form/field-words.ts';
import { toCommand } from '../../ui/form/program/command-text.ts';
import { toEnvironment } from '../../ui/form/program/environment-text.ts';
import { ProgramFields } from '../../ui/form/program/ProgramFields.tsx';
import { programText } from '../../ui/form/program/program-text.ts';
import { VersionInput } from '../../ui/form/VersionInput.tsx';
import { VariableField } from '../../ui/form/variables/VariableField.tsx';
import { notifyFailedStart } from '../server/header/notify-failed-start.ts';
import { useClashes } from '../server/settings/use-clashes.ts';
import { CustomSoftware } from './CustomSoftware.tsx';
import { type CreateValues, DEFAULTS, freeName, toCreateRequest, toProperties } from './create-values.ts';
import { EulaCheckbox } from './EulaCheckbox.tsx';
import { MemoryInput } from './memory/MemoryInput.tsx';
import { newServerText } from './new-server-text.ts';
import { SoftwareChoice } from './SoftwareChoice.tsx';
import { WorldFields } from './WorldFields.tsx';

/** Fields that the daemon may reject, by the name of their input. */
const CHECKED = {
  name: 'name',
  version: 'version',
  port: 'port',
  memoryMb: 'memoryGb',
  launch: 'command',
  stopCommand: 'stopCommand',
  transport: 'udp',
  env: 'env',
  readyPattern: 'readyPattern',
  readyAfterSeconds: 'readySeconds',
  directory: 'directory',
} as const;

export function CreateServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  /** The kind whose card was chosen among the games. */
  const wanted = new URLSearchParams(useSearch()).get('kind') ?? '';
  const software = useSoftware().data;
  const create = useCreateInstance();
  const lifecycle = useLifecycle();
  /** An error that is about none of the fields. */
  const [formError, setFormError] = useState<unknown>();
  const p = useWords(programText);
  const fieldWords = useFieldWords();
  const throughProxy = useSession().data?.proxy !== undefined;
  const form = useForm<CreateValues>({
    initialValues: { ...DEFAULTS, software: wanted },
    validate: {
      command: (command) => (toCommand(command) === undefined ? p('quote') : null),
      env: (env) => (toEnvironment(env) === undefined ? p('envLine') : null),
    },
  });
  const chosen = software?.find(({ kind }) => kind === form.values.software);
  const variables = chosen?.variables.filter(({ editableBy }) => editableBy !== 'nobody') ?? [];
  const needsEula = chosen?.eula === true;
  const canStart = !needsEula || form.values.acceptEula;
  const suggestion = useSuggestedName(chosen);
  const name = form.isTouched('name') ? form.values.name : suggestion;

  /** Without its properties the first start would make another world, so it is not started then. */
  const begin = async (id: string, { world, startNow }: CreateValues) => {
    const properties = chosen?.properties ? toProperties(world) : {};
    if (Object.keys(properties).length > 0) await setFirstProperties(id, properties);
    if (startNow && canStart) await lifecycle.mutateAsync({ id, action: 'start' });
  };
  const submit = async (values: CreateValues) => {
    setFormError(undefined);
    // Another would be suggested as soon as the new server has this one.
    form.setFieldValue('name', name);
    try {
      const { id } = await create.mutateAsync(toCreateRequest({ ...values, name }, chosen?.command === true));
      await begin(id, values).catch((error) => notifyFailedStart(error, { id }));
      navigate(`/servers/${id}/console`);
    } catch (error) {
      const inputs = { ...CHECKED, ...Object.fromEntries(variables.map(({ name }) => [inputOf(name), inputOf(name)])) };
      const errors = inputErrors(error, inputs, fieldWords);
      form.setErrors(errors);
      if (Object.keys(errors).length === 0) setFormError(error);
    }
  };

  return (
    <Paper p="lg">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <SoftwareChoice
            value={form.values.software}
            onChange={(kind) => form.setValues({ software: kind, variables: {} })}
          />
          {chosen?.command && throughProxy ? (
            <CustomSoftware />
          ) : (
            <>
              <Fields form={form} chosen={chosen} name={name} />
              {chosen?.properties && <WorldFields form={form} />}
              {chosen?.command && <Program form={form} />}
              {variables.map((variable) => (
                <VariableField
                  key={variable.name}
                  variable={variable}
                  value={form.values.variables[variable.name] ?? variable.default ?? ''}
                  onChange={(value) => {
                    form.setFieldValue('variables', (now) => ({ ...now, [variable.name]: value }));
                    form.clearFieldError(inputOf(variable.name));
                  }}
                  error={form.errors[inputOf(variable.name)] as string | undefined}
                />
              ))}
              {needsEula && <EulaCheckbox {...form.getInputProps('acceptEula', { type: 'checkbox' })} />}
              <Checkbox
                label={t('startNow')}
                disabled={!canStart}
                {...form.getInputProps('startNow', { type: 'checkbox' })}
              />
              {formError !== undefined && <ProblemAlert error={formError} />}
              <Group justify="flex-end">
                <Button type="submit" loading={form.submitting} disabled={form.values.software === ''}>
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

/** Returns a name that no server has: "Survival" for a Minecraft world, otherwise what the software is called. */
function useSuggestedName(software: Schemas['Software'] | undefined): string {
  const t = useWords(newServerText);
  const servers = useInstances().data ?? [];
  if (!software) return '';
  return freeName(
    software.properties ? t('survival') : software.title,
    servers.map((server) => server.name),
  );
}

/** As the daemon calls it in errors. */
function inputOf(variable: string): string {
  return `variables.${variable}`;
}

interface FieldsProps {
  form: UseFormReturnType<CreateValues>;
  chosen: Schemas['Software'] | undefined;
  name: string;
}

function Fields({ form, chosen, name }: FieldsProps) {
  const t = useWords(newServerText);
  const clashes = useClashes({ ...form.values, name });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <TextInput
        label={t('name')}
        description={clashes.name ?? t('nameHint')}
        required
        maxLength={64}
        autoComplete="off"
        {...form.getInputProps('name')}
        value={name}
      />
      <MemoryInput required hint={t('memoryHint')} {...form.getInputProps('memoryGb')} />
      <VersionInput
        software={form.values.software}
        label={t('version')}
        placeholder={chosen?.defaultVersion ?? t('newest')}
        {...form.getInputProps('version')}
      />
      <NumberInput
        label={t('port')}
        description={clashes.port ?? t('portHint')}
        min={1}
        max={65_535}
        hideControls
        allowDecimal={false}
        {...form.getInputProps('port')}
      />
    </SimpleGrid>
  );
}

function Program({ form }: { form: UseFormReturnType<CreateValues> }) {
  const t = useWords(newServerText);
  return (
    <>
      <ProgramFields input={form.getInputProps} ready={form.values.ready} withCommand />
      <TextInput
        label={t('folder')}
        description={t('folderHint')}
        placeholder="/srv/arena"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...form.getInputProps('directory')}
      />
    </>
  );
}
