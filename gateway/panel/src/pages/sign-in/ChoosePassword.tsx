import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangePassword, useSignOut } from '../../api/session.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { SignInFrame } from './SignInFrame.tsx';
import { signInText } from './sign-in-text.ts';

const MIN_LENGTH = 8;

/** The only page until the password is changed. `username`: whose password it is. */
export function ChoosePassword({ username }: { username: string }) {
  const t = useWords(signInText);
  const change = useChangePassword();
  const signOut = useSignOut();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', again: '' },
    validate: {
      newPassword: (value) => (value.length < MIN_LENGTH ? t('tooShort') : null),
      again: (value, { newPassword }) => (value === newPassword ? null : t('differs')),
    },
  });
  return (
    <SignInFrame>
      <form
        onSubmit={form.onSubmit(({ currentPassword, newPassword }) => change.mutate({ currentPassword, newPassword }))}
      >
        <Stack>
          <Title order={1}>{t('chooseTitle')}</Title>
          <Text size="sm" c="dimmed">
            {t('chooseHint', { username })}
          </Text>
          <PasswordInput
            label={t('current')}
            autoComplete="current-password"
            required
            autoFocus
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={t('chosen')}
            description={t('chosenHint')}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <PasswordInput label={t('again')} autoComplete="new-password" required {...form.getInputProps('again')} />
          {change.error && <ProblemAlert error={change.error} />}
          <Button type="submit" loading={change.isPending} fullWidth>
            {t('change')}
          </Button>
          <Button variant="subtle" color="gray" fullWidth onClick={() => signOut.mutate()}>
            {t('signOut')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
