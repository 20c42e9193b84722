import type { UseFormReturnType } from '@mantine/form';
import { type SettingsDocument, useChangeSettings } from '../../api/settings.ts';
import type { Schemas } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { notifyDone } from '../../ui/feedback/notify.tsx';
import { useLatestForm } from '../../ui/form/use-latest-form.ts';
import { useUnsavedGuard } from '../../ui/form/use-unsaved-guard.ts';
import { uiText } from '../../ui/ui-text.ts';

export interface SettingsForm<Values> {
  form: UseFormReturnType<Values>;
  /** What `SettingsSection` needs. */
  section: { dirty: boolean; busy: boolean; error: unknown; onSave: () => void; onReset: () => void };
}

/** A form over some of the settings. `values`: as they are; `toChange`: what is to be stored. */
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
          notifyDone(t('done'));
        },
      },
    );
  return {
    form,
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
