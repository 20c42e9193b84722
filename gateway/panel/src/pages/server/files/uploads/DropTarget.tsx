import { Box } from '@mantine/core';
import { type DragEvent, type ReactNode, useState } from 'react';
import { notifyProblem } from '../../../../ui/feedback/notify.tsx';
import { type ChosenFile, droppedFiles } from './dropped-files.ts';

interface DropTargetProps {
  /** Absent: nothing may be dropped. */
  onFiles: ((files: readonly ChosenFile[]) => void) | undefined;
  children: ReactNode;
}

/** A page onto which files and folders may be dropped. */
export function DropTarget({ onFiles, children }: DropTargetProps) {
  const [isTarget, setIsTarget] = useState(false);
  return (
    <Box
      style={{
        flex: 1,
        overflow: 'auto',
        ...(isTarget && { outline: '2px dashed var(--mantine-primary-color-filled)' }),
      }}
      {...(onFiles && {
        onDragOver: (event: DragEvent) => {
          event.preventDefault();
          setIsTarget(true);
        },
        onDragLeave: () => setIsTarget(false),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          setIsTarget(false);
          droppedFiles(event.dataTransfer).then(onFiles).catch(notifyProblem);
        },
      })}
    >
      {children}
    </Box>
  );
}
