import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page with nothing on it yet: one sentence and the one thing to do. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Center mih="50vh" px="md">
      <Stack align="center" maw={420} ta="center">
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{children}</Text>
        {action}
      </Stack>
    </Center>
  );
}
