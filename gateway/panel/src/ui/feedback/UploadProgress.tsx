import { Progress, Stack, Text } from '@mantine/core';
import { useQuantities } from '../../text/quantities.ts';
import { useWords } from '../../text/section.ts';
import { uploadText } from './upload-text.ts';

export interface UploadProgressProps {
  sentBytes: number;
  sizeBytes: number;
  /** Shown once all is sent. */
  whenSent: string;
}

/** How much of a file has been uploaded. */
export function UploadProgress({ sentBytes, sizeBytes, whenSent }: UploadProgressProps) {
  const t = useWords(uploadText);
  const { size } = useQuantities();
  const isWhole = sentBytes >= sizeBytes;
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {isWhole ? whenSent : t('sent', { sent: size(sentBytes), all: size(sizeBytes) })}
      </Text>
      <Progress value={(sentBytes / Math.max(1, sizeBytes)) * 100} aria-label={t('progress')} animated={isWhole} />
      {!isWhole && (
        <Text size="xs" c="dimmed">
          {t('resumeHint')}
        </Text>
      )}
    </Stack>
  );
}
