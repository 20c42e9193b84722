import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { signInText } from './sign-in-text.ts';

/** Shown when a session through the hosted proxy has ended. The proxy signs the user in when the page loads again. */
export function EndedAtProxy() {
  const t = useWords(signInText);
  return (
    <Center mih="100dvh" p="md">
      <Paper p="xl" w="100%" maw={380} component="main">
        <Stack>
          <Title order={1}>{t('againTitle')}</Title>
          <Text size="sm" role="status">
            {t('atProxy')}
          </Text>
          <Button fullWidth onClick={() => window.location.reload()}>
            {t('signIn')}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
