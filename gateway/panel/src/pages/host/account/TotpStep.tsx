import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { QrCode } from '../../../ui/display/QrCode.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { accountText } from './account-text.ts';

/** Shows the new secret, and asks for a code that proves the app has it. */
export function TotpStep({ begun, onCode }: { begun: Schemas['TotpBegun']; onCode: (code: string) => Promise<void> }) {
  const t = useWords(accountText);
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: onCode });
  const grouped = begun.secret.replace(/(.{4})(?=.)/g, '$1 ');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(code.trim());
      }}
    >
      <Stack>
        <Text size="sm">{t('scan')}</Text>
        <Group justify="center">
          <QrCode text={begun.uri} label={t('qr')} />
        </Group>
        <Group gap="xs" justify="center">
          <Text size="sm" c="dimmed">
            {t('key')}
          </Text>
          <CopyText value={begun.secret} label={grouped} monospace />
        </Group>
        <TextInput
          label={t('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {confirm.error && <ProblemAlert error={confirm.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
