import { Alert, Anchor, Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { configurationQuery, useUpdateInstance, variablesQuery } from '../../../api/instances.ts';
import { useSoftware, useSoftwareVersions } from '../../../api/software.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { VersionInput } from '../../../ui/form/VersionInput.tsx';
import { changeSoftwareText } from './change-software-text.ts';

/** Changes a server to other software that reads its world. Absent for software that has no other. */
export function ChangeSoftware({ instance }: { instance: Instance }) {
  const t = useWords(changeSoftwareText);
  const queries = useQueryClient();
  const update = useUpdateInstance(instance.id);
  const kinds = useSoftware().data ?? [];
  const present = kinds.find(({ kind }) => kind === instance.software);
  const others = kinds.filter(({ kind, family }) => family && family === present?.family && kind !== present.kind);
  const [kind, setKind] = useState('');
  const [version, setVersion] = useState('');
  const [opened, { open, close }] = useDisclosure(false);
  const chosen = others.find((one) => one.kind === kind);
  const { data } = useSoftwareVersions(kind, { enabled: chosen?.versions === true });
  if (!present || others.length === 0) return null;

  const isStopped = instance.status === 'stopped';
  const keeps = data === undefined || data.versions.some((one) => one.version === instance.version);
  // The first start chooses a version.
  const needsVersion = chosen?.versions === true && !keeps && instance.version !== 'latest';
  const titles = { from: present.title, to: chosen?.title ?? '' };
  const change = async () => {
    await update.mutateAsync({ software: kind, ...(needsVersion && { version: version.trim() }) });
    await Promise.all(
      [configurationQuery(instance.id), variablesQuery(instance.id)].map(({ queryKey }) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
    notifyDone(t('changed', titles));
    setKind('');
    setVersion('');
  };
  return (
    <FormSection title={t('heading')} hint={t(isStopped ? 'hint' : 'stopFirst', { title: present.title })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label={t('to')}
              data={others.map((one) => ({ value: one.kind, label: one.title }))}
              value={kind || null}
              onChange={(next) => setKind(next ?? '')}
              disabled={!isStopped}
            />
            {needsVersion && (
              <VersionInput
                software={kind}
                label={t('version')}
                description={t('versionHint', { ...titles, version: instance.version })}
                required
                value={version}
                onChange={setVersion}
              />
            )}
          </SimpleGrid>
          {chosen && <Warning instance={instance} isMinecraft={chosen.family === 'minecraft-java'} />}
          <Group justify="flex-end">
            <Button
              type="submit"
              variant="default"
              disabled={!isStopped || !chosen || (needsVersion && version.trim() === '')}
            >
              {t('change')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Confirm
        opened={opened}
        onClose={close}
        title={t('title', { ...titles, name: instance.name })}
        action={t('change')}
        onConfirm={change}
      >
        {t('confirm', titles)}
      </Confirm>
    </FormSection>
  );
}

function Warning({ instance, isMinecraft }: { instance: Instance; isMinecraft: boolean }) {
  const t = useWords(changeSoftwareText);
  return (
    <Alert color="warning" variant="light">
      <Stack gap="xs">
        <Text size="sm">{t('warning')}</Text>
        {isMinecraft && <Text size="sm">{t('minecraft')}</Text>}
        <Anchor component={Link} href={`/servers/${instance.id}/backups`} size="sm">
          {t('backup')}
        </Anchor>
      </Stack>
    </Alert>
  );
}
