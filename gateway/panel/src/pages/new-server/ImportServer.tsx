import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { placeOf, useImportInstance, useInstance, useRecognise } from '../../api/instances.ts';
import { useJobs } from '../../api/jobs.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { isUnderWay } from '../../api/visible-jobs.ts';
import { useWords } from '../../text/section.ts';
import { JobRow } from '../../ui/feedback/JobRow.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { Findings } from './Findings.tsx';
import { type ImportValues, nameOf, toRequest } from './import-values.ts';
import { MissingFields } from './MissingFields.tsx';
import { newServerText } from './new-server-text.ts';

/** Takes over a server that is on the machine: first what is found there, then, with what that does not say, the import. */
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
  // What was found elsewhere says nothing about this one.
  const found = recognise.data?.directory === form.values.path.trim() ? recognise.data : undefined;
  const unpacking = job !== undefined && isUnderWay(job);

  const look = async ({ path }: ImportValues) => {
    setJobId(undefined);
    take.reset();
    const { directory: whole, software } = await recognise.mutateAsync(placeOf(path.trim()));
    form.setValues({ path: whole, name: nameOf(whole), software: software?.value ?? '', version: '' });
  };
  const bring = async (values: ImportValues, from: Schemas['Recognition']) => {
    const answer = await take.mutateAsync({ place: placeOf(from.directory), request: toRequest(values, from) });
    if ('jobId' in answer) setJobId(answer.jobId);
    else navigate(`/servers/${answer.id}/console`);
  };
  const made = useInstance(job?.state === 'done' ? job.instanceId : '')?.id;
  useEffect(() => {
    if (made !== undefined) navigate(`/servers/${made}/console`);
  }, [made, navigate]);

  return (
    <Paper p="lg">
      <form
        onSubmit={form.onSubmit((values) => {
          const work = found ? bring(values, found) : look(values);
          // What failed is shown below the fields.
          work.catch(() => undefined);
        })}
      >
        <Stack>
          <TextInput
            label={t('place')}
            description={t('placeHint')}
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
              {t('goOn')}
            </Text>
          )}
          {job?.state === 'cancelled' && (
            <Text size="sm" role="status">
              {t('cancelled')}
            </Text>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={recognise.isPending || take.isPending || unpacking}>
              {t(found ? 'take' : 'look')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
