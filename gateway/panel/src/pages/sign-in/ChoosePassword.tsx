import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangePassword } from '../../api/session.ts';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { signInText } from './sign-in-text.ts';

const MIN_LENGTH = 8;

export function ChoosePassword() {
  const t = useWords(signInText);
  const change = useChangePassword();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', again: '' },
    validate: {
      newPassword: (value) => (value.length < MIN_LENGTH ? t('tooShort') : null),
      again: (value, { newPassword }) => (value === newPassword ? null : t('differs')),
    },
  });
  return (
    <Center mih="100dvh" p="md">
      <Paper p="xl" w="100%" maw={380} component="main">
        <form
          onSubmit={form.onSubmit(({ currentPassword, newPassword }) =>
            change.mutate({ currentPassword, newPassword }),
          )}
        >
          <Stack>
            <Title order={1}>{t('chooseTitle')}</Title>
            <Text size="sm" c="dimmed">
              {t('chooseHint')}
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
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
