import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSignIn } from '../../api/session.ts';
import { asProblem } from '../../api/transport/problem.ts';
import { AppearanceButtons } from '../../shell/Preferences.tsx';
import { useWords } from '../../text/section.ts';
import { ErrorAlert } from '../../ui/feedback/ErrorAlert.tsx';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { CodeInput } from './CodeInput.tsx';
import { SignInFrame } from './SignInFrame.tsx';
import { signInText } from './sign-in-text.ts';

/** Asks for the second factor only after the password was right. `again`: name of the user whose session has ended. */
export function SignIn({ again }: { again?: string }) {
  const t = useWords(signInText);
  const signIn = useSignIn();
  const form = useForm({ initialValues: { username: again ?? '', password: '', totp: '' } });
  const code = signIn.error ? asProblem(signIn.error).code : undefined;
  const asksForCode = code === 'totp_required' || code === 'totp_invalid';
  return (
    <SignInFrame>
      <form
        onSubmit={form.onSubmit(({ totp, ...values }) =>
          signIn.mutate({ ...values, ...(asksForCode && totp !== '' && { totp: totp.trim() }) }),
        )}
      >
        <Stack>
          <Title order={1}>{t(again === undefined ? 'title' : 'againTitle')}</Title>
          {again !== undefined && (
            <Text size="sm" role="status">
              {t('againHint')}
            </Text>
          )}
          <TextInput
            label={t('username')}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            autoFocus={again === undefined}
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            required
            autoFocus={again !== undefined}
            {...form.getInputProps('password')}
          />
          {asksForCode && <CodeInput {...form.getInputProps('totp')} />}
          {code === 'unauthenticated' && <ErrorAlert title={t('wrong')}>{t('wrongHelp')}</ErrorAlert>}
          {signIn.error && code !== 'unauthenticated' && code !== 'totp_required' && (
            <ProblemAlert error={signIn.error} />
          )}
          <Button type="submit" loading={signIn.isPending} fullWidth>
            {t('signIn')}
          </Button>
          {again === undefined && (
            <Text size="xs" c="dimmed">
              {t('firstRun')}
            </Text>
          )}
          <Group justify="flex-end" gap={4}>
            <AppearanceButtons />
          </Group>
        </Stack>
      </form>
    </SignInFrame>
  );
}
