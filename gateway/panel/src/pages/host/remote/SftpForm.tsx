import { NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SettingsDocument } from '../../../api/settings.ts';
import { sftpQuery } from '../../../api/sftp.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { SettingsSection } from '../../../ui/form/SettingsSection.tsx';
import { useSettingsForm } from '../use-settings-form.ts';
import { sftpText } from './sftp-text.ts';

/** Turns SFTP on and off, and shows how to connect. */
export function SftpForm({ document, username }: { document: SettingsDocument; username: string }) {
  const t = useWords(sftpText);
  const { form, section } = useSettingsForm(document, {
    values: { ...document.settings.sftp },
    toChange: (sftp) => ({ sftp }),
  });
  return (
    <SettingsSection title={t('title')} hint={t('hint')} {...section}>
      <Switch label={t('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('host')} description={t('hostHint')} required {...form.getInputProps('host')} />
        <NumberInput
          label={t('port')}
          description={t('portHint')}
          min={0}
          max={65_535}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('port')}
        />
      </SimpleGrid>
      <HowToConnect username={username} />
    </SettingsSection>
  );
}

/** Shows nothing while SFTP is off. */
function HowToConnect({ username }: { username: string }) {
  const t = useWords(sftpText);
  const { listening } = useQuery(sftpQuery()).data ?? {};
  if (!listening) return null;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('connect')}</Text>
      <CopyText monospace value={`sftp -P ${listening.port} ${username}@${window.location.hostname}`} />
      <Text size="sm">{t('fingerprint')}</Text>
      <CopyText monospace value={listening.fingerprint} />
    </Stack>
  );
}
