import { Anchor, Button, Checkbox, Group, NumberInput, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
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
import { CustomProgram } from './CustomProgram.tsx';
import { newServerText } from './new-server-text.ts';
import { SoftwareChoice } from './SoftwareChoice.tsx';

const EULA = 'https://aka.ms/MinecraftEULA';
const GIGABYTE_MB = 1_024;

interface Values {
  software: string;
  name: string;
  version: string;
  memoryGb: number;
  port: number | '';
  acceptEula: boolean;
  startNow: boolean;
}

/** From "which game" to a server that starts, on one page. */
export function CreateServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  const software = useSoftware().data;
  const create = useCreateInstance();
  const lifecycle = useLifecycle();
  const [unplaced, setUnplaced] = useState<unknown>();
  const form = useForm<Values>({
    initialValues: { software: '', name: '', version: '', memoryGb: 2, port: '', acceptEula: false, startNow: true },
  });
  const chosen = software?.find(({ kind }) => kind === form.values.software);
  const needsEula = chosen?.eula === true;
  const canStart = !needsEula || form.values.acceptEula;

  const submit = async (values: Values) => {
    setUnplaced(undefined);
    try {
      const { id } = await create.mutateAsync(toRequest(values));
      if (values.startNow && canStart) await lifecycle.mutateAsync({ id, action: 'start' }).catch(notifyProblem);
      navigate(`/servers/${id}/console`);
    } catch (error) {
      const { memoryMb, ...placed } = fieldErrors(error, ['name', 'version', 'port', 'memoryMb']);
      const errors = { ...placed, ...(memoryMb !== undefined && { memoryGb: memoryMb }) };
      form.setErrors(errors);
      if (Object.keys(errors).length === 0) setUnplaced(error);
    }
  };

  return (
    <Paper p="lg">
      <form onSubmit={form.onSubmit((values) => void submit(values))}>
        <Stack>
          <SoftwareChoice value={form.values.software} onChange={(kind) => form.setFieldValue('software', kind)} />
          {chosen?.kind === 'custom' ? (
            <CustomProgram />
          ) : (
            <>
              <TextInput
                label={t('name')}
                description={t('nameHint')}
                required
                maxLength={64}
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                <VersionInput
                  software={form.values.software}
                  label={t('version')}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  placeholder={chosen?.defaultVersion ?? t('newest')}
                  {...form.getInputProps('version')}
                />
                <NumberInput
                  label={t('memory')}
                  description={t('memoryHint')}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  suffix=" GB"
                  min={0.5}
                  max={1_024}
                  step={0.5}
                  required
                  {...form.getInputProps('memoryGb')}
                />
                <NumberInput
                  label={t('port')}
                  description={t('portHint')}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  min={1}
                  max={65_535}
                  hideControls
                  allowDecimal={false}
                  {...form.getInputProps('port')}
                />
              </SimpleGrid>
              {needsEula && (
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
                  {...form.getInputProps('acceptEula', { type: 'checkbox' })}
                />
              )}
              <Checkbox
                label={t('startNow')}
                disabled={!canStart}
                {...form.getInputProps('startNow', { type: 'checkbox' })}
              />
              {unplaced !== undefined && <ProblemAlert error={unplaced} />}
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

function toRequest({ software, name, version, memoryGb, port, acceptEula }: Values): Schemas['CreateInstance'] {
  return {
    software,
    name: name.trim(),
    memoryMb: Math.round(memoryGb * GIGABYTE_MB),
    ...(version.trim() !== '' && { version: version.trim() }),
    ...(port !== '' && { port }),
    ...(acceptEula && { acceptEula }),
  } as Schemas['CreateInstance'];
}
