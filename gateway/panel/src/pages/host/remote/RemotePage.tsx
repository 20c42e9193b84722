import {
  Alert,
  Checkbox,
  NumberInput,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  TagsInput,
  TextInput,
  Title,
} from '@mantine/core';
import { type SettingsDocument, useSettings } from '../../../api/settings.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { SettingsSection } from '../../../ui/form/SettingsSection.tsx';
import type { HostPageProps } from '../host-page-props.ts';
import { useSettingsForm } from '../use-settings-form.ts';
import { LanForm } from './LanForm.tsx';
import { remoteText } from './remote-text.ts';
import { SftpForm } from './SftpForm.tsx';

export function RemotePage({ session }: HostPageProps) {
  const t = useWords(remoteText);
  const settings = useSettings();
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      {settings.isPending && <Skeleton h={320} />}
      {settings.isError && !settings.data && (
        <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.data && (
        <>
          <RemoteForm document={settings.data} />
          <SftpForm document={settings.data} username={session.username} />
          <LanForm document={settings.data} />
        </>
      )}
    </Stack>
  );
}

function RemoteForm({ document }: { document: SettingsDocument }) {
  const t = useWords(remoteText);
  const { remoteControl, overridden } = document.settings;
  const { form, lock, section } = useSettingsForm(document, {
    values: {
      enabled: remoteControl.enabled,
      host: remoteControl.host,
      panelPort: remoteControl.panelPort,
      port: remoteControl.port,
      cert: remoteControl.tls?.cert ?? '',
      key: remoteControl.tls?.key ?? '',
      insecure: remoteControl.insecure,
      allowedHosts: remoteControl.allowedHosts,
      allowedOrigins: remoteControl.allowedOrigins,
    },
    toChange: ({ cert, key, ...rest }) => ({
      remoteControl: { ...rest, tls: cert === '' && key === '' ? null : { cert, key } },
    }),
  });
  const variables = overridden.filter(({ key }) => key.startsWith('remoteControl.'));
  const port = { min: 0, max: 65_535, allowDecimal: false, hideControls: true } as const;
  return (
    <SettingsSection title={t('listening')} hint={t('hint')} {...section}>
      {variables.length > 0 && (
        <Alert color="warning" variant="light">
          {t('overridden', { variables: variables.map(({ variable }) => variable).join(', ') })}
        </Alert>
      )}
      <Switch label={t('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
      {!form.values.enabled && (
        <Alert color="warning" variant="light">
          {t('offMeans')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('host')}
          description={t('hostHint')}
          required
          {...form.getInputProps('host')}
          {...lock('remoteControl.host')}
        />
        <NumberInput
          label={t('panelPort')}
          description={t('portHint')}
          {...port}
          {...form.getInputProps('panelPort')}
          {...lock('remoteControl.panelPort')}
        />
        <NumberInput
          label={t('remotePort')}
          description={t('portHint')}
          {...port}
          {...form.getInputProps('port')}
          {...lock('remoteControl.port')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('cert')} description={t('tlsHint')} {...form.getInputProps('cert')} />
        <TextInput label={t('key')} description={t('tlsHint')} {...form.getInputProps('key')} />
      </SimpleGrid>
      <TagsInput label={t('hosts')} description={t('hostsHint')} {...form.getInputProps('allowedHosts')} />
      <TagsInput label={t('origins')} description={t('originsHint')} {...form.getInputProps('allowedOrigins')} />
      <Checkbox
        label={t('insecure')}
        description={t('insecureHint')}
        {...form.getInputProps('insecure', { type: 'checkbox' })}
      />
    </SettingsSection>
  );
}
