import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { crashesQuery } from '../../../api/instances.ts';
import { useWords } from '../../../text/section.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';
import { CrashReport } from './CrashReport.tsx';
import { crashesText } from './crashes-text.ts';

export function CrashesTab({ instance }: TabProps) {
  const t = useWords(crashesText);
  const crashes = useQuery(crashesQuery(instance));
  return (
    <Box className="page-width" py="md">
      {crashes.isPending && <Skeleton h={160} />}
      {crashes.isError && <ProblemAlert error={crashes.error} onRetry={() => void crashes.refetch()} />}
      {crashes.data?.length === 0 && (
        <EmptyState picture="tree" title={t('emptyTitle')}>
          {t('empty')}
        </EmptyState>
      )}
      <Stack component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {crashes.data?.map((each, index) => (
          <CrashReport key={each.at} crash={each} isNewest={index === 0} />
        ))}
      </Stack>
    </Box>
  );
}
