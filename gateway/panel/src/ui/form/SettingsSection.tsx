import { Alert, Button, Group, Stack } from '@mantine/core';
import { asProblem } from '../../api/transport/problem.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../feedback/ProblemAlert.tsx';
import { uiText } from '../ui-text.ts';
import { FormSection, type FormSectionProps } from './FormSection.tsx';

export interface SettingsSectionProps extends FormSectionProps {
  dirty: boolean;
  busy: boolean;
  error: unknown;
  onSave: () => void;
  onReset: () => void;
}

/** A group of settings that are saved together. Keeps the user's edits if someone else has changed the settings since. */
export function SettingsSection({ children, dirty, busy, error, onSave, onReset, ...head }: SettingsSectionProps) {
  const t = useWords(uiText);
  const conflict = error !== null && error !== undefined && asProblem(error).code === 'precondition_failed';
  return (
    <FormSection {...head}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <Stack>
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
    </FormSection>
  );
}
