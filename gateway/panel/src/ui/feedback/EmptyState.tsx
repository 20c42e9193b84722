import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** Something follows below it. */
  brief?: boolean;
}

/** A page with nothing on it yet: one sentence and the one thing to do. */
export function EmptyState({ title, children, action, brief = false }: EmptyStateProps) {
  return (
    <Center {...(!brief && { mih: '50vh' })} p="md">
      <Stack align="center" maw={420} ta="center">
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{children}</Text>
        {action}
      </Stack>
    </Center>
  );
}
