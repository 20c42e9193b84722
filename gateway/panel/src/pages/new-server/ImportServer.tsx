import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { useImportInstance, useRecognise } from '../../api/instances.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { CreationProgress } from './CreationProgress.tsx';
import { Findings } from './Findings.tsx';
import { type ImportValues, nameOf, sourceOf, toImportRequest } from './import-values.ts';
import { MissingFields } from './MissingFields.tsx';
import { newServerText } from './new-server-text.ts';
import { useCreation } from './use-creation.ts';

/** Imports a server in two steps: inspects the folder, ZIP or modpack, then imports it with the settings that were missing. */
export function ImportServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  const recognise = useRecognise();
  const take = useImportInstance();
  const { job, isUnderWay, follow } = useCreation();
  const form = useForm<ImportValues>({
    initialValues: { path: '', name: '', software: '', version: '', acceptEula: false },
  });
  // Outdated as soon as the user types another path.
  const found = recognise.data?.directory === form.values.path.trim() ? recognise.data : undefined;

  const inspect = async ({ path }: ImportValues) => {
    follow(undefined);
    take.reset();
    const { directory: fullPath, software } = await recognise.mutateAsync(sourceOf(path.trim()));
    form.setValues({ path: fullPath, name: nameOf(fullPath), software: software?.value ?? '', version: '' });
  };
  const importIt = async (values: ImportValues, from: Schemas['Recognition']) => {
    const result = await take.mutateAsync({ source: sourceOf(from.directory), request: toImportRequest(values, from) });
    if ('jobId' in result) follow(result.jobId);
    else navigate(`/servers/${result.id}/console`);
  };

  return (
    <Paper p="lg">
      <form
        onSubmit={form.onSubmit((values) => {
          const step = found ? importIt(values, found) : inspect(values);
          // Errors are shown below the fields.
          step.catch(() => undefined);
        })}
      >
        <Stack>
          <TextInput
            label={t('source')}
            description={t('sourceHint')}
            placeholder="/srv/survival"
            required
            disabled={isUnderWay}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...form.getInputProps('path')}
          />
          {found && (
            <>
              <Findings found={found} />
              <TextInput
                label={t('name')}
                required
                maxLength={64}
                disabled={isUnderWay}
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              <MissingFields found={found} form={form} />
            </>
          )}
          {recognise.error && !found && <ProblemAlert error={recognise.error} />}
          {take.error && <ProblemAlert error={take.error} />}
          {found && <CreationProgress job={job} isUnderWay={isUnderWay} />}
          <Group justify="flex-end">
            <Button type="submit" loading={recognise.isPending || take.isPending || isUnderWay}>
              {t(found ? 'doImport' : 'inspect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
