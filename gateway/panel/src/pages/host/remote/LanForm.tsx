import { Switch } from '@mantine/core';
import type { SettingsDocument } from '../../../api/settings.ts';
import { useWords } from '../../../text/section.ts';
import { SettingsSection } from '../../../ui/form/SettingsSection.tsx';
import { useSettingsForm } from '../use-settings-form.ts';
import { remoteText } from './remote-text.ts';

/** Whether players on the same network see the servers without an address. */
export function LanForm({ document }: { document: SettingsDocument }) {
  const t = useWords(remoteText);
  const { form, section } = useSettingsForm(document, {
    values: { announce: document.settings.lan.announce },
    toChange: (lan) => ({ lan }),
  });
  return (
    <SettingsSection title={t('lan')} hint={t('lanHint')} {...section}>
      <Switch label={t('announce')} {...form.getInputProps('announce', { type: 'checkbox' })} />
    </SettingsSection>
  );
}
