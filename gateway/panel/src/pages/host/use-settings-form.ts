import type { UseFormReturnType } from '@mantine/form';
import { type SettingsDocument, useChangeSettings } from '../../api/settings.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { notifyDone } from '../../ui/feedback/notify.tsx';
import { useUnsavedGuard } from '../../ui/form/unsaved.ts';
import { useLatestForm } from '../../ui/form/use-latest-form.ts';
import { uiText } from '../../ui/ui-text.ts';

export interface SettingsForm<Values> {
  form: UseFormReturnType<Values>;
  /** Props for the field of a setting: locked while an environment variable overrides it, and empty, since its value is not in force. */
  lock: (key: string) => { disabled?: true; value?: ''; description?: string };
  /** Props for `SettingsSection`. */
  section: { dirty: boolean; busy: boolean; error: unknown; onSave: () => void; onReset: () => void };
}

/** A form over some of the settings: `values` are the stored ones, `toChange` turns edited ones into a change. */
export function useSettingsForm<Values extends Record<string, unknown>>(
  document: SettingsDocument,
  { values, toChange }: { values: Values; toChange: (values: Values) => Schemas['SettingsChange'] },
): SettingsForm<Values> {
  const t = useWords(uiText);
  const save = useChangeSettings();
  const { form, markStored, reset } = useLatestForm(values);
  useUnsavedGuard(form.isDirty());
  const store = (typed: Values) =>
    save.mutate(
      { change: toChange(typed), etag: document.etag },
      {
        onSuccess: () => {
          markStored(typed);
          notifyDone(t('saved'));
        },
      },
    );
  return {
    form,
    lock: (key) => {
      const { variable } = document.settings.overridden.find((each) => each.key === key) ?? {};
      return variable === undefined ? {} : { disabled: true, value: '', description: t('setBy', { variable }) };
    },
    section: {
      dirty: form.isDirty(),
      busy: save.isPending,
      error: save.error,
      onSave: () => void form.onSubmit(store)(),
      onReset: () => {
        save.reset();
        reset();
      },
    },
  };
}
