import { Button, CloseButton, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../../ui/feedback/ProblemAlert.tsx';
import { UploadProgress } from '../../ui/feedback/UploadProgress.tsx';
import { useDrop } from '../../ui/use-drop.ts';
import { isArchive } from './import-values.ts';
import { newServerText } from './new-server-text.ts';
import type { ArchiveUploadControl } from './use-archive-upload.ts';

export interface ArchiveFileProps {
  control: ArchiveUploadControl;
  disabled: boolean;
}

/** Takes a file of the user's computer, by a button or dropped, and shows its upload. */
export function ArchiveFile({ control: { upload, send, discard }, disabled }: ArchiveFileProps) {
  const t = useWords(newServerText);
  const [isWrong, setIsWrong] = useState(false);
  const forgetChoice = useRef<() => void>(null);
  const choose = (file: File | null | undefined) => {
    if (!file) return;
    forgetChoice.current?.(); // so that the same file can be chosen again
    setIsWrong(!isArchive(file.name));
    if (isArchive(file.name)) send(file);
  };
  const { isOver, handlers } = useDrop(({ files }) => {
    if (!disabled) choose(files[0]);
  });
  return (
    <Paper
      withBorder
      p="md"
      style={{ borderStyle: 'dashed', ...(isOver && { borderColor: 'var(--mantine-primary-color-filled)' }) }}
      {...handlers}
    >
      <Stack gap="xs">
        <Group>
          <FileButton
            accept=".zip,.mrpack,application/zip"
            onChange={choose}
            resetRef={forgetChoice}
            disabled={disabled}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                disabled={disabled}
                leftSection={<IconUpload size={16} aria-hidden />}
              >
                {t('chooseFile')}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            {t('dropFile')}
          </Text>
        </Group>
        {isWrong && (
          <Text size="sm" c="danger" role="alert">
            {t('wrongFile')}
          </Text>
        )}
        {upload && (
          <>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={500} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                {upload.file.name}
              </Text>
              <CloseButton
                aria-label={t('removeFile', { name: upload.file.name })}
                disabled={disabled}
                onClick={discard}
              />
            </Group>
            {upload.problem === undefined ? (
              <UploadProgress sentBytes={upload.sentBytes} sizeBytes={upload.file.size} whenSent={t('uploaded')} />
            ) : (
              <ProblemAlert error={upload.problem} onRetry={() => send(upload.file)} />
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}
