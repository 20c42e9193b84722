import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useChangeVariables } from '../../../api/instances.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { fieldErrors } from '../../../ui/form/field-errors.ts';
import { useFieldWords } from '../../../ui/form/field-words.ts';
import { SettingsSection } from '../../../ui/form/SettingsSection.tsx';
import { useUnsavedGuard } from '../../../ui/form/unsaved.ts';
import { VariableField } from '../../../ui/form/variables/VariableField.tsx';
import type { TabProps } from '../tab-props.ts';
import { settingsText } from './settings-text.ts';

interface VariablesFormProps extends Pick<TabProps, 'instance' | 'session'> {
  variables: Schemas['InstanceVariable'][];
}

/** The settings that the server's kind declares. */
export function VariablesForm({ instance, session, variables }: VariablesFormProps) {
  const t = useWords(settingsText);
  const fieldWords = useFieldWords();
  const change = useChangeVariables(instance.id);
  /** What the user has entered, by name. null: the default of a secret, which is not shown. */
  const [edits, setEdits] = useState<Record<string, string | null>>({});
  // An empty secret is one that was not replaced.
  const changed = Object.fromEntries(
    variables.flatMap(({ name, value = '' }) => {
      const { [name]: edit = value } = edits;
      return edit === value ? [] : [[name, edit]];
    }),
  );
  const dirty = Object.keys(changed).length > 0;
  useUnsavedGuard(dirty);

  const errorsOf = (error: unknown) =>
    fieldErrors(
      error,
      variables.map(({ name }) => inputOf(name)),
      fieldWords,
    );
  const errors = change.error ? errorsOf(change.error) : {};
  const save = async () => {
    await change.mutateAsync(changed);
    // What was entered meanwhile stays.
    setEdits((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => edits[name] !== value)));
    notifyDone(t('saved'));
  };

  return (
    <SettingsSection
      title={t('variables')}
      dirty={dirty}
      busy={change.isPending}
      error={Object.keys(errors).length === 0 ? change.error : undefined}
      // Errors are shown at the field or below all.
      onSave={() => void save().catch(() => undefined)}
      onReset={() => {
        setEdits({});
        change.reset();
      }}
    >
      <Stack>
        {variables.map((variable) => {
          const { name, value = '', editableBy, secret, isSet, problem } = variable;
          const edit = edits[name];
          return (
            <VariableField
              key={name}
              variable={variable}
              value={edit ?? value}
              {...(secret &&
                isSet &&
                edit !== null && { onDefault: () => setEdits((now) => ({ ...now, [name]: null })) })}
              toDefault={edit === null}
              onChange={(typed) => setEdits((now) => ({ ...now, [name]: typed }))}
              error={errors[inputOf(name)] ?? (edit === undefined ? problem : undefined)}
              locked={editableBy === 'admin' && session.role !== 'admin'}
              kept={secret && isSet && edit !== null}
            />
          );
        })}
      </Stack>
    </SettingsSection>
  );
}

/** As the daemon calls it in errors. */
function inputOf(variable: string): string {
  return `variables.${variable}`;
}
