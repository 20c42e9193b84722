import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useCancelLinkRequest } from '../../../api/link.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { QrCode } from '../../../ui/display/QrCode.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { linkText } from './link-text.ts';

/** Shows the code of a request until it is approved. */
export function LinkRequest({ request }: { request: Schemas['LinkRequest'] }) {
  const t = useWords(linkText);
  const cancel = useCancelLinkRequest();
  const seconds = useSecondsUntil(request.expiresAt);
  return (
    <Paper p="lg">
      <Stack align="center">
        <Title order={2}>{t('waiting')}</Title>
        <Text size="sm" ta="center">
          {t('waitingHint')}
        </Text>
        <Text
          component="p"
          fz={36}
          fw={600}
          ff="monospace"
          m={0}
          role="status"
          aria-label={t('code', { code: request.userCode })}
        >
          {request.userCode}
        </Text>
        <QrCode text={request.verificationUriComplete} label={t('qr')} />
        <Anchor href={request.verificationUriComplete} target="_blank" rel="noreferrer">
          {request.verificationUri}
        </Anchor>
        <Text size="sm" c="dimmed" role="timer">
          {t('timeLeft', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` })}
        </Text>
        {cancel.error && <ProblemAlert error={cancel.error} />}
        <Group>
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Returns the whole seconds until a time, counted down; never less than 0. */
function useSecondsUntil(time: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((Date.parse(time) - now) / 1000));
}
