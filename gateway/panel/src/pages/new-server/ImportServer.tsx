import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useImportInstance, useInstance, useRecognise } from '../../api/instances.ts';
import { useJobs } from '../../api/jobs.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { isActive } from '../../api/visible-jobs.ts';
import { useWords } from '../../text/section.ts';
import { JobRow } from '../../ui/feedback/JobRow.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { Findings } from './Findings.tsx';
import { type ImportValues, nameOf, sourceOf, toImportRequest } from './import-values.ts';
import { MissingFields } from './MissingFields.tsx';
import { newServerText } from './new-server-text.ts';

/** Imports a server in two steps: inspects the folder or ZIP, then imports it with the settings that were missing. */
export function ImportServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  const recognise = useRecognise();
  const take = useImportInstance();
  const [jobId, setJobId] = useState<string>();
  const job = useJobs().data?.find((each) => each.jobId === jobId);
  const form = useForm<ImportValues>({
    initialValues: { path: '', name: '', software: '', version: '', acceptEula: false },
  });
  // Outdated as soon as the user types another path.
  const found = recognise.data?.directory === form.values.path.trim() ? recognise.data : undefined;
  const unpacking = job !== undefined && isActive(job);

  const inspect = async ({ path }: ImportValues) => {
    setJobId(undefined);
    take.reset();
    const { directory: fullPath, software } = await recognise.mutateAsync(sourceOf(path.trim()));
    form.setValues({ path: fullPath, name: nameOf(fullPath), software: software?.value ?? '', version: '' });
  };
  const importIt = async (values: ImportValues, from: Schemas['Recognition']) => {
    const result = await take.mutateAsync({ source: sourceOf(from.directory), request: toImportRequest(values, from) });
    if ('jobId' in result) setJobId(result.jobId);
    else navigate(`/servers/${result.id}/console`);
  };
  const imported = useInstance(job?.state === 'done' ? job.instanceId : '')?.id;
  useEffect(() => {
    if (imported !== undefined) navigate(`/servers/${imported}/console`);
  }, [imported, navigate]);

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
            disabled={unpacking}
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
                disabled={unpacking}
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              <MissingFields found={found} form={form} />
            </>
          )}
          {recognise.error && !found && <ProblemAlert error={recognise.error} />}
          {take.error && <ProblemAlert error={take.error} />}
          {job && found && <JobRow job={job} />}
          {unpacking && (
            <Text size="xs" c="dimmed">
              {t('leave')}
            </Text>
          )}
          {job?.state === 'cancelled' && (
            <Text size="sm" role="status">
              {t('cancelled')}
            </Text>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={recognise.isPending || take.isPending || unpacking}>
              {t(found ? 'doImport' : 'inspect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
