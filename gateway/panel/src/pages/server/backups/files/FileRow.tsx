import { Box, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../../../text/section.ts';
import { filesText } from './files-text.ts';

export interface FileRowProps {
  /** For screen readers. */
  name: string;
  children: ReactNode;
  /** Absent if the backup does not have it. */
  onRestore?: (() => void) | undefined;
}

/** A file or folder in a backup, with the button to restore it. */
export function FileRow({ name, children, onRestore }: FileRowProps) {
  const t = useWords(filesText);
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <Box style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
      {onRestore && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-label={t('restoreOf', { name })}
          onClick={onRestore}
        >
          {t('restore')}
        </Button>
      )}
    </Group>
  );
}
