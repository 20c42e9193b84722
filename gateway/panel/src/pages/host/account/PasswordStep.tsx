import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useWords } from '../../../text/section.ts';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import { accountText } from './account-text.ts';

/** Asks for the password again before a sensitive change. */
export function PasswordStep({
  warning,
  onPassword,
}: {
  warning?: string;
  onPassword: (password: string) => Promise<void>;
}) {
  const t = useWords(accountText);
  const [password, setPassword] = useState('');
  const check = useMutation({ mutationFn: onPassword });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate(password);
      }}
    >
      <Stack>
        {warning && <Text size="sm">{warning}</Text>}
        <PasswordInput
          label={t('current')}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {check.error && <ProblemAlert error={check.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={check.isPending}>
            {t('continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
