import { Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { asProblem } from '../api/problem.ts';
import { useSignIn } from '../api/session.ts';
import { useWords } from '../text/section.ts';
import { ProblemAlert } from '../ui/ProblemAlert.tsx';
import { signInText } from './sign-in-text.ts';

/** Asks for the second factor only of those who have one, once the password was right. */
export function SignIn() {
  const t = useWords(signInText);
  const signIn = useSignIn();
  const form = useForm({ initialValues: { username: '', password: '', totp: '' } });
  const code = signIn.error ? asProblem(signIn.error).code : undefined;
  const asksForCode = code === 'totp_required' || code === 'totp_invalid';
  return (
    <Center mih="100dvh" p="md">
      <Paper p="xl" w="100%" maw={380} component="main">
        <form
          onSubmit={form.onSubmit(({ totp, ...values }) =>
            signIn.mutate({ ...values, ...(asksForCode && totp !== '' && { totp: totp.trim() }) }),
          )}
        >
          <Stack>
            <Title order={1}>{t('title')}</Title>
            <TextInput
              label={t('username')}
              autoComplete="username"
              autoCapitalize="none"
              required
              autoFocus
              {...form.getInputProps('username')}
            />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            {asksForCode && (
              <TextInput
                label={t('code')}
                autoComplete="one-time-code"
                required
                autoFocus
                {...form.getInputProps('totp')}
              />
            )}
            {signIn.error && code !== 'totp_required' && <ProblemAlert error={signIn.error} />}
            <Button type="submit" loading={signIn.isPending} fullWidth>
              {t('signIn')}
            </Button>
            <Text size="xs" c="dimmed">
              {t('firstRun')}
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
