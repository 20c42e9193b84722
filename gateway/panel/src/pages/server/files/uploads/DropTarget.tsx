import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { notifyProblem } from '../../../../ui/feedback/notify.tsx';
import { useDrop } from '../../../../ui/use-drop.ts';
import { type ChosenFile, droppedFiles } from './dropped-files.ts';

interface DropTargetProps {
  /** Absent: nothing may be dropped. */
  onFiles: ((files: readonly ChosenFile[]) => void) | undefined;
  children: ReactNode;
}

/** A page onto which files and folders may be dropped. */
export function DropTarget({ onFiles, children }: DropTargetProps) {
  const { isOver, handlers } = useDrop((dropped) => {
    if (onFiles) droppedFiles(dropped).then(onFiles).catch(notifyProblem);
  });
  return (
    <Box
      style={{
        flex: 1,
        overflow: 'auto',
        ...(isOver && { outline: '2px dashed var(--mantine-primary-color-filled)' }),
      }}
      {...(onFiles && handlers)}
    >
      {children}
    </Box>
  );
}
