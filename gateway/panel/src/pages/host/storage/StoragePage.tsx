import { NumberInput, PasswordInput, SimpleGrid, Skeleton, Stack, TagsInput, TextInput, Title } from '@mantine/core';
import { type SettingsDocument, useSettings } from '../../../api/settings.ts';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { SettingsSection } from '../../../ui/form/SettingsSection.tsx';
import { useSettingsForm } from '../use-settings-form.ts';
import { Stores } from './Stores.tsx';
import { storageText } from './storage-text.ts';

export function StoragePage() {
  const t = useWords(storageText);
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
          <LocalBackups document={settings.data} />
          <Retention document={settings.data} />
          <Stores document={settings.data} />
          <Encryption document={settings.data} />
        </>
      )}
    </Stack>
  );
}

const whole = { allowDecimal: false, hideControls: true } as const;

function LocalBackups({ document }: { document: SettingsDocument }) {
  const t = useWords(storageText);
  const { directory, concurrency, exclude } = document.settings.backups;
  const { form, section } = useSettingsForm(document, {
    values: { directory: directory ?? '', concurrency, exclude },
    toChange: (values) => ({
      backups: { ...values, directory: values.directory.trim() === '' ? null : values.directory.trim() },
    }),
  });
  return (
    <SettingsSection title={t('backups')} {...section}>
      <TextInput label={t('directory')} description={t('directoryHint')} {...form.getInputProps('directory')} />
      <NumberInput
        label={t('concurrency')}
        min={1}
        max={16}
        maw={200}
        {...whole}
        {...form.getInputProps('concurrency')}
      />
      <TagsInput label={t('exclude')} description={t('excludeHint')} {...form.getInputProps('exclude')} />
    </SettingsSection>
  );
}

const RULES = ['count', 'days', 'daily', 'weekly', 'monthly'] as const;

function Retention({ document }: { document: SettingsDocument }) {
  const t = useWords(storageText);
  const stored = document.settings.backups.retention ?? {};
  const { form, section } = useSettingsForm(document, {
    values: Object.fromEntries(RULES.map((rule) => [rule, stored[rule] ?? ''])) as Record<
      (typeof RULES)[number],
      number | ''
    >,
    toChange: (values) => {
      const set = RULES.filter((rule) => values[rule] !== '');
      const retention = Object.fromEntries(RULES.map((rule) => [rule, values[rule] === '' ? null : values[rule]]));
      return { backups: { retention: set.length === 0 ? null : retention } };
    },
  });
  return (
    <SettingsSection title={t('retention')} hint={t('retentionHint')} {...section}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {RULES.map((rule) => (
          <NumberInput key={rule} label={t(rule)} min={1} {...whole} {...form.getInputProps(rule)} />
        ))}
      </SimpleGrid>
    </SettingsSection>
  );
}

function Encryption({ document }: { document: SettingsDocument }) {
  const t = useWords(storageText);
  const stored = document.settings.backups.encryption;
  const { form, section } = useSettingsForm(document, {
    values: { passphrase: stored?.passphrase ?? '' },
    toChange: ({ passphrase }) => ({
      backups: { encryption: passphrase === '' && !stored?.recipients ? null : { passphrase: passphrase || null } },
    }),
  });
  return (
    <SettingsSection title={t('encryption')} hint={t('encryptionHint')} {...section}>
      <PasswordInput
        label={t('encryptionPassphrase')}
        autoComplete="new-password"
        {...form.getInputProps('passphrase')}
      />
    </SettingsSection>
  );
}
