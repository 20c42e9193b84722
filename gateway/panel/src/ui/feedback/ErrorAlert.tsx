import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** An error in a page: what happened, and below it what to do. */
export function ErrorAlert({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} role="alert">
      {children}
    </Alert>
  );
}
