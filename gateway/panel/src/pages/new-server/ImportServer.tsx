import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type ImportSource, useImportInstance, useRecognise } from '../../api/instances.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { ArchiveFile } from './ArchiveFile.tsx';
import { CreationProgress } from './CreationProgress.tsx';
import { Findings } from './Findings.tsx';
import { type ImportValues, nameOf, sourceOf, toImportRequest } from './import-values.ts';
import { MissingFields } from './MissingFields.tsx';
import { newServerText } from './new-server-text.ts';
import { useArchiveUpload } from './use-archive-upload.ts';
import { useCreation } from './use-creation.ts';

/**
 * Imports a server in two steps: inspects the folder, ZIP or modpack, of the host or uploaded, then imports it with the settings that were
 * missing.
 */
export function ImportServer() {
  const t = useWords(newServerText);
  const [, navigate] = useLocation();
  const recognise = useRecognise();
  const take = useImportInstance();
  const { job, isUnderWay, follow } = useCreation();
  const form = useForm<ImportValues>({
    initialValues: { path: '', name: '', software: '', version: '', acceptEula: false },
  });
  const archive = useArchiveUpload((upload) => tried(inspect({ upload })));
  const { upload } = archive;
  const source = upload ? toUpload(upload.id) : sourceOf(form.values.path.trim());
  /** The path or the id of the upload. Outdated as soon as the user types another path or chooses another file. */
  const [inspected, setInspected] = useState<string>();
  const found = source && inspected === keyOf(source) ? recognise.data : undefined;

  const inspect = async (asked: ImportSource) => {
    follow(undefined);
    take.reset();
    const { directory, software } = await recognise.mutateAsync(asked);
    const isUpload = 'upload' in asked;
    setInspected(isUpload ? asked.upload : directory);
    form.setValues({
      ...(!isUpload && { path: directory }),
      ...{ name: nameOf(directory), software: software?.value ?? '', version: '' },
    });
  };
  const importIt = async (from: ImportSource, values: ImportValues, recognised: Schemas['Recognition']) => {
    const result = await take.mutateAsync({ source: from, request: toImportRequest(values, recognised) });
    if ('jobId' in result) follow(result.jobId);
    else navigate(`/servers/${result.id}/console`);
  };

  return (
    <Paper p="lg">
      <form
        onSubmit={form.onSubmit((values) => {
          if (source) tried(found ? importIt(source, values, found) : inspect(source));
        })}
      >
        <Stack>
          <ArchiveFile control={archive} disabled={recognise.isPending || take.isPending || isUnderWay} />
          {!upload && (
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
          )}
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
          {recognise.error && source && keyOf(recognise.variables) === keyOf(source) && (
            <ProblemAlert error={recognise.error} />
          )}
          {take.error && <ProblemAlert error={take.error} />}
          {found && <CreationProgress job={job} isUnderWay={isUnderWay} />}
          <Group justify="flex-end">
            <Button type="submit" disabled={!source} loading={recognise.isPending || take.isPending || isUnderWay}>
              {t(found ? 'doImport' : 'inspect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/** Errors are shown below the fields. */
function tried(step: Promise<void>): void {
  step.catch(() => undefined);
}

function toUpload(id: string | undefined): ImportSource | undefined {
  return id === undefined ? undefined : { upload: id };
}

function keyOf(source: ImportSource): string {
  if ('upload' in source) return source.upload;
  return 'archive' in source ? source.archive : source.directory;
}
