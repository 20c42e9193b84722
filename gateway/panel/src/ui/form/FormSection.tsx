import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FormSectionProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** A card about one thing. On a wide page its fields stand beside its title, so that neither is too wide to read. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  return (
    <Paper component="section" aria-label={title} p="lg" className="form-section">
      <Stack gap={4}>
        <Title order={2}>{title}</Title>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Stack>
      <div>{children}</div>
    </Paper>
  );
}
