import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import type { Schemas } from '../../../api/transport/client.ts';
import { useWords } from '../../../text/section.ts';
import { CopyText } from '../../../ui/copy/CopyText.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { accountText } from './account-text.ts';

const QR_PX = 200;

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

/** Drawn in the browser, so that the secret goes to no other host. Dark on light in both schemes, which all scanners read. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: 2 }), [text]);
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <Box bg="#fff" p={4} bdrs="sm">
      <svg
        role="img"
        aria-label={label}
        width={QR_PX}
        height={QR_PX}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        style={{ display: 'block' }}
      >
        <path d={path} fill="#000" />
      </svg>
    </Box>
  );
}
