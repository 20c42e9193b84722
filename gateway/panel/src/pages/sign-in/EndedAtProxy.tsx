import { Button, Stack, Text, Title } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { SignInFrame } from './SignInFrame.tsx';
import { signInText } from './sign-in-text.ts';

/** Shown when a session through the hosted proxy has ended. The proxy signs the user in when the page loads again. */
export function EndedAtProxy() {
  const t = useWords(signInText);
  return (
    <SignInFrame>
      <Stack>
        <Title order={1}>{t('againTitle')}</Title>
        <Text size="sm" role="status">
          {t('atProxy')}
        </Text>
        <Button fullWidth onClick={() => window.location.reload()}>
          {t('signIn')}
        </Button>
      </Stack>
    </SignInFrame>
  );
}
