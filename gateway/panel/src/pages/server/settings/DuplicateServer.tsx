import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { exportUrl, useCloneInstance } from '../../../api/instances.ts';
import type { Instance } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { settingsText } from './settings-text.ts';

/** Duplicates the server here, or exports it as a ZIP. The jobs tray shows the progress. */
export function DuplicateServer({ instance }: { instance: Instance }) {
  const t = useWords(settingsText);
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const clone = useCloneInstance(instance.id);
  const copy = async () => {
    const { id } = await clone.mutateAsync(name.trim());
    navigate(`/servers/${id}/console`);
  };
  return (
    <FormSection title={t('copy')} hint={t('copyHint')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Errors are shown below.
          void copy().catch(() => undefined);
        }}
      >
        <Stack>
          <Group align="flex-end">
            <TextInput
              label={t('copyName')}
              placeholder={t('copyPlaceholder', { name: instance.name })}
              required
              maxLength={64}
              autoComplete="off"
              flex={1}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={clone.isPending}>
              {t('copyIt')}
            </Button>
          </Group>
          {clone.error && <ProblemAlert error={clone.error} />}
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {t('exportHint')}
            </Text>
            <Button component="a" href={exportUrl(instance.id)} download variant="default">
              {t('export')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormSection>
  );
}
