import { Text } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { JobRow } from '../../ui/feedback/JobRow.tsx';
import { newServerText } from './new-server-text.ts';
import type { Creation } from './use-creation.ts';

export function CreationProgress({ job, isUnderWay }: Omit<Creation, 'follow'>) {
  const t = useWords(newServerText);
  return (
    <>
      {job && <JobRow job={job} />}
      {isUnderWay && (
        <Text size="xs" c="dimmed">
          {t('leave')}
        </Text>
      )}
      {job?.state === 'cancelled' && (
        <Text size="sm" role="status">
          {t('cancelled')}
        </Text>
      )}
    </>
  );
}
