import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { asProblem } from '../../api/transport/problem.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../feedback/ProblemAlert.tsx';
import { uiText } from '../ui-text.ts';

export interface SettingsSectionProps {
  title: string;
  hint?: string;
  children: ReactNode;
  dirty: boolean;
  busy: boolean;
  error: unknown;
  onSave: () => void;
  onReset: () => void;
}

/** A group of settings that are saved together. Keeps the user's edits if someone else has changed the settings since. */
export function SettingsSection({ title, hint, children, dirty, busy, error, onSave, onReset }: SettingsSectionProps) {
  const t = useWords(uiText);
  const conflict = error !== null && error !== undefined && asProblem(error).code === 'precondition_failed';
  return (
    <Paper p="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <Stack>
          <Stack gap={4}>
            <Title order={2}>{title}</Title>
            {hint && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </Stack>
          {children}
          {conflict && (
            <Alert color="warning" variant="light">
              {t('conflict')}
            </Alert>
          )}
          {!conflict && error !== null && error !== undefined && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" disabled={!dirty} onClick={onReset}>
              {t('discard')}
            </Button>
            <Button type="submit" loading={busy} disabled={!dirty}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
