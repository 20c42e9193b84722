import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** Takes only the height it needs, for pages with more content below. */
  brief?: boolean;
}

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
