import { Button, Checkbox, Group, Paper, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import type { Schemas } from '../../api/client.ts';
import { useImportInstance, useRecognise } from '../../api/instances.ts';
import { useSoftware } from '../../api/software.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { Findings } from './Findings.tsx';
import { newServerText } from './new-server-text.ts';

interface Values {
  directory: string;
  name: string;
  software: string;
  version: string;
  acceptEula: boolean;
}

/** Takes over a server that is on the machine: first what its folder says, then, with what it does not say, the import. */
export function ImportServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  const recognise = useRecognise();
  const take = useImportInstance();
  const form = useForm<Values>({
    initialValues: { directory: '', name: '', software: '', version: '', acceptEula: false },
  });
  // What was found in another folder says nothing about this one.
  const found = recognise.data?.directory === form.values.directory.trim() ? recognise.data : undefined;

  const look = async ({ directory }: Values) => {
    const { directory: whole, software } = await recognise.mutateAsync(directory.trim());
    form.setValues({ directory: whole, name: nameOf(whole), software: software?.value ?? '', version: '' });
  };
  const bring = async (values: Values) => {
    const { id } = await take.mutateAsync(toRequest(values, found));
    navigate(`/servers/${id}/console`);
  };

  return (
    <Paper p="lg">
      {/* What failed is shown below the fields. */}
      <form onSubmit={form.onSubmit((values) => void (found ? bring(values) : look(values)).catch(() => undefined))}>
        <Stack>
          <TextInput
            label={t('folder')}
            description={t('folderHint')}
            placeholder="/srv/survival"
            required
            autoComplete="off"
            autoCapitalize="none"
            {...form.getInputProps('directory')}
          />
          {found && (
            <>
              <Findings found={found} />
              <TextInput label={t('name')} required maxLength={64} {...form.getInputProps('name')} />
              <Missing found={found} form={form} />
            </>
          )}
          {recognise.error && !found && <ProblemAlert error={recognise.error} />}
          {take.error && <ProblemAlert error={take.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={recognise.isPending || take.isPending}>
              {t(found ? 'take' : 'look')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/** Fields for what the folder does not tell. */
function Missing({ found, form }: { found: Schemas['Recognition']; form: ReturnType<typeof useForm<Values>> }) {
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

function toRequest(
  { directory, name, software, version, acceptEula }: Values,
  found: Schemas['Recognition'] | undefined,
) {
  return {
    directory,
    name: name.trim(),
    ...(!found?.software && software !== '' && { software }),
    ...(version.trim() !== '' && { version: version.trim() }),
    ...(acceptEula && { acceptEula }),
  };
}

/** The folder's own name, as a name to begin with. */
function nameOf(directory: string): string {
  return directory.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
}
