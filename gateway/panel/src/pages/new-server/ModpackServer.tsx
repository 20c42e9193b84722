import { Anchor, Button, Checkbox, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useInstances } from '../../api/instances.ts';
import { type Modpack, modpackSearchQuery, modpackVersionsQuery, useCreateFromModpack } from '../../api/modpacks.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { ProjectSearch } from '../../ui/modrinth/ProjectSearch.tsx';
import { useProjectWords } from '../../ui/modrinth/use-project-words.ts';
import { CreationProgress } from './CreationProgress.tsx';
import { freeName } from './create-values.ts';
import { EulaCheckbox } from './EulaCheckbox.tsx';
import { MemoryInput } from './memory/MemoryInput.tsx';
import { type ModpackValues, suggestedMemoryGb, toModpackRequest } from './modpack-values.ts';
import { newServerText } from './new-server-text.ts';
import { useCreation } from './use-creation.ts';

const MAX_NAME = 64;

/** Creates a server from a modpack in two steps: finds it, then chooses its version. `onImport`: the user has it as a file. */
export function ModpackServer({ onImport }: { onImport: () => void }) {
  const [chosen, setChosen] = useState<Modpack>();
  return chosen ? (
    <ModpackForm modpack={chosen} onBack={() => setChosen(undefined)} />
  ) : (
    <ModpackSearch onChoose={setChosen} onImport={onImport} />
  );
}

interface ModpackSearchProps {
  onChoose: (modpack: Modpack) => void;
  onImport: () => void;
}

function ModpackSearch({ onChoose, onImport }: ModpackSearchProps) {
  const t = useWords(newServerText);
  const words = useProjectWords();
  const search = useQuery(modpackSearchQuery({ query: words.query, limit: words.limit }));
  return (
    <Stack>
      <Text size="sm">
        {t('havePack')}{' '}
        <Anchor component="button" type="button" size="sm" onClick={onImport}>
          {t('importPack')}
        </Anchor>
      </Text>
      <ProjectSearch words={words} search={search} label={t('searchPacks')} nothing={t('noPacks')}>
        {(modpack) => (
          <Button
            size="compact-sm"
            variant="default"
            style={{ flexShrink: 0 }}
            aria-label={t('choosePack', { name: modpack.title })}
            onClick={() => onChoose(modpack)}
          >
            {t('choose')}
          </Button>
        )}
      </ProjectSearch>
    </Stack>
  );
}

interface ModpackFormProps {
  modpack: Modpack;
  onBack: () => void;
}

function ModpackForm({ modpack, onBack }: ModpackFormProps) {
  const t = useWords(newServerText);
  const servers = useInstances().data ?? [];
  const versions = useQuery(modpackVersionsQuery(modpack.projectId));
  const create = useCreateFromModpack();
  const { job, isUnderWay, follow } = useCreation();
  const form = useForm<ModpackValues>({
    initialValues: {
      name: freeName(
        modpack.title.slice(0, MAX_NAME - ' 99'.length),
        servers.map((server) => server.name),
      ),
      version: null,
      memoryGb: '',
      acceptEula: false,
      startWhenReady: true,
    },
  });
  const suggestedGb = suggestedMemoryGb(versions.data?.versions ?? [], form.values.version);
  const memoryGb = form.isTouched('memoryGb') ? form.values.memoryGb : (suggestedGb ?? '');
  const submit = form.onSubmit((values) => {
    follow(undefined);
    const body = toModpackRequest(modpack.projectId, { ...values, memoryGb });
    create.mutate(body, { onSuccess: ({ jobId }) => follow(jobId) });
  });
  return (
    <Paper p="lg">
      <form onSubmit={submit}>
        <Stack>
          <Group justify="space-between">
            <Title order={2}>{modpack.title}</Title>
            <Button variant="subtle" size="compact-sm" disabled={create.isPending || isUnderWay} onClick={onBack}>
              {t('otherPack')}
            </Button>
          </Group>
          <Text size="sm">{modpack.description}</Text>
          <Select
            label={t('packVersion')}
            description={t('packHint')}
            placeholder={t('newest')}
            clearable
            searchable
            disabled={versions.isPending || isUnderWay}
            data={(versions.data?.versions ?? []).map((each) => ({ value: each.versionId, label: labelOf(each) }))}
            {...form.getInputProps('version')}
          />
          {versions.error && <ProblemAlert error={versions.error} onRetry={() => void versions.refetch()} />}
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            required
            maxLength={MAX_NAME}
            disabled={isUnderWay}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <MemoryInput
            hint={t('packMemoryHint')}
            disabled={isUnderWay}
            {...form.getInputProps('memoryGb')}
            value={memoryGb}
          />
          <EulaCheckbox {...form.getInputProps('acceptEula', { type: 'checkbox' })} />
          <Checkbox
            label={t('startWhenReady')}
            disabled={!form.values.acceptEula || isUnderWay}
            {...form.getInputProps('startWhenReady', { type: 'checkbox' })}
          />
          {create.error && <ProblemAlert error={create.error} />}
          <CreationProgress job={job} isUnderWay={isUnderWay} />
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending || isUnderWay}>
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/** Such as "10.2.0 · 1.21.8 · fabric". */
function labelOf({ version, gameVersions, loaders }: Schemas['ModpackVersions']['versions'][number]): string {
  return [version, gameVersions.join(', '), loaders.join(', ')].join(' · ');
}
