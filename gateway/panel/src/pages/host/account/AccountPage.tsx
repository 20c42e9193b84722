import { Button, Group, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangePassword } from '../../../api/session.ts';
import { useWords } from '../../../text/section.ts';
import { notifyDone } from '../../../ui/feedback/notify.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { FormSection } from '../../../ui/form/FormSection.tsx';
import { accountText } from './account-text.ts';
import { TwoFactor } from './TwoFactor.tsx';

export function AccountPage() {
  const t = useWords(accountText);
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <OwnPassword />
      <TwoFactor />
    </Stack>
  );
}

function OwnPassword() {
  const t = useWords(accountText);
  const change = useChangePassword();
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } });
  return (
    <FormSection title={t('password')}>
      <form
        onSubmit={form.onSubmit((values) =>
          change.mutate(values, {
            onSuccess: () => {
              form.reset();
              notifyDone(t('changed'));
            },
          }),
        )}
      >
        <Stack>
          <PasswordInput
            label={t('current')}
            autoComplete="current-password"
            required
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={t('next')}
            autoComplete="new-password"
            required
            minLength={8}
            {...form.getInputProps('newPassword')}
          />
          {change.error && <ProblemAlert error={change.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              {t('change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormSection>
  );
}
